// Runs in the browser, as a part of start.ts: a layer that an engine cannot show must not keep all others from being shown.

interface Layer {
  readonly name: string;
  readonly properties?: { readonly title?: unknown };
}
type ShowOn = (this: Layer, map: object) => readonly object[];
export interface LayerType {
  readonly prototype: { getImplementationsForMap: ShowOn };
}

/** Leaves out each layer that fails, and reports it once. */
export function guardLayers({ prototype }: LayerType, report: (name: string, error: unknown) => void): void {
  const show = prototype.getImplementationsForMap;
  const failed = new WeakSet<Layer>();
  prototype.getImplementationsForMap = function showGuarded(this: Layer, map: object) {
    try {
      return show.call(this, map);
    } catch (error) {
      if (!failed.has(this)) report(this.name, error);
      failed.add(this);
      return [];
    }
  };
}
