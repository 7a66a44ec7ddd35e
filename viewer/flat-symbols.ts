// Runs in the browser, as a part of start.ts: flat maps draw all points of vector tiles. The engine leaves out those whose
// symbols touch others, and labels that touch symbols, as if a point were no more than a label.

interface Image {
  /** Of OpenLayers; `none`: always drawn, and no obstacle to labels. */
  getDeclutterMode(): string | undefined;
}
interface StyleItem {
  readonly properties?: { readonly hasDispensableSymbols?: unknown };
}
type DrawPoint = (this: StyleItem, feature: object) => { getImage(): Image | null };

/** The part of engines 5.0 to 6.3 that is used. */
export interface SymbolCore {
  readonly DeclarativeStyleItem: { readonly prototype: { _stylePoint: DrawPoint } };
}

const always = () => 'none';

/** Keeps the symbols of points, unless their style says that they are dispensable, and labels beside symbols. */
export function keepSymbols({ DeclarativeStyleItem: { prototype } }: SymbolCore): void {
  const draw = prototype._stylePoint;
  prototype._stylePoint = function drawAlways(this: StyleItem, feature: object) {
    const style = draw.call(this, feature);
    const image = style.getImage();
    if (image && this.properties?.hasDispensableSymbols !== true) image.getDeclutterMode = always;
    return style;
  };
}
