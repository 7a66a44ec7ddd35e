// Runs in the browser, as a part of start.ts: the engine tells the tiles of a layer the language that it had before.

interface TileLayer {
  readonly tileProvider?: { locale: string };
  locale: string;
}
export interface LocaleCore {
  readonly VectorTileLayer: { readonly prototype: TileLayer };
}

/** Gives the tiles of a layer the language of the layer. */
export function passLocale({ VectorTileLayer: { prototype } }: LocaleCore): void {
  const property = Object.getOwnPropertyDescriptor(prototype, 'locale');
  if (property?.set === undefined) return;
  Object.defineProperty(prototype, 'locale', {
    ...property,
    set(this: TileLayer, locale: string) {
      property.set!.call(this, locale);
      if (this.tileProvider) this.tileProvider.locale = locale;
    },
  });
}
