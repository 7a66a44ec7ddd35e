// Runs in the browser, as a part of start.ts: lines of styles by attributes have their outline on both sides. The engine
// draws those of points and areas only.

interface Colour {
  toBytes(): [red: number, green: number, blue: number, alpha: number];
}
interface Expression {
  evaluate(feature: object): unknown;
  evaluateColor(feature: object): Colour | undefined;
}
interface Stroke {
  getWidth(): number | undefined;
  setWidth(pixels: number): void;
  setColor(colour: readonly number[]): void;
}
interface Style {
  getStroke(): Stroke | null;
  clone(): Style;
}
interface StyleItem {
  readonly properties?: { readonly mapStyle?: unknown };
  readonly cesiumStyle: { readonly pointOutlineColor?: Expression; readonly pointOutlineWidth?: Expression };
}
type DrawLine = (this: StyleItem, feature: object) => Style | readonly Style[];

/** The part of engines 5.0 to 6.3 that is used. */
export interface CasingCore {
  readonly DeclarativeStyleItem: { readonly prototype: { _styleLineString: DrawLine } };
}

/** Draws below each line a wider one in the colour of its outline, if its style has one. */
export function drawCasings({ DeclarativeStyleItem: { prototype } }: CasingCore): void {
  const draw = prototype._styleLineString;
  prototype._styleLineString = function drawWithCasing(this: StyleItem, feature: object) {
    const line = draw.call(this, feature) as Style;
    if (this.properties?.mapStyle === undefined) return line;
    const { pointOutlineColor, pointOutlineWidth } = this.cesiumStyle;
    const width = Number(pointOutlineWidth?.evaluate(feature) ?? 0);
    const colour = pointOutlineColor?.evaluateColor(feature);
    const pixels = line.getStroke()?.getWidth();
    if (colour === undefined || !(width > 0) || pixels === undefined) return line;
    const casing = line.clone();
    const [red, green, blue, alpha] = colour.toBytes();
    casing.getStroke()!.setColor([red, green, blue, alpha / 255]);
    casing.getStroke()!.setWidth(pixels + 2 * width);
    return [casing, line];
  };
}
