// Runs in the browser, as a part of start.ts: styles that replace the colours of 3D objects show the colours of their legend.
// The engine takes what it replaces them with for linear values, which come out too bright, and replaces nothing in tilesets
// that do not say that they allow it.

/** Cesium3DTileColorBlendMode.REPLACE */
const replaceMode = 1;

interface Tileset {
  readonly colorBlendMode: number;
}
interface Feature {
  readonly tileset?: Tileset;
}
interface Colour {
  red: number;
  green: number;
  blue: number;
}
type EvaluateColour = (this: unknown, feature: Feature | undefined, result?: Colour) => Colour | undefined;

/** The part of Cesium that is used. */
export interface ReplacingCesium {
  readonly Cesium3DTileStyle: new (style: { readonly color: string }) => {
    /** Expressions with conditions evaluate one of its class. */
    readonly color: { evaluateColor: EvaluateColour };
  };
  readonly Cesium3DTileset: { fromUrl?: (...options: unknown[]) => Promise<{ readonly extras?: object }> };
}

/** Before the first tileset is loaded. */
export function replaceColours({ Cesium3DTileStyle, Cesium3DTileset }: ReplacingCesium): void {
  // not all engines export its class
  const { color } = new Cesium3DTileStyle({ color: "color('white')" });
  const expression = Object.getPrototypeOf(color) as typeof color;
  const { evaluateColor } = expression;
  expression.evaluateColor = function evaluateLinear(feature, result) {
    const colour = evaluateColor.call(this, feature, result);
    if (colour === undefined || feature?.tileset?.colorBlendMode !== replaceMode) return colour;
    colour.red = linearOf(colour.red);
    colour.green = linearOf(colour.green);
    colour.blue = linearOf(colour.blue);
    return colour;
  };
  const { fromUrl } = Cesium3DTileset;
  if (fromUrl === undefined) return; // engine 5
  Cesium3DTileset.fromUrl = async (...options) => {
    const tileset = await fromUrl.apply(Cesium3DTileset, options);
    const extras = { ...tileset.extras, _3DTILESDIFFUSE: true };
    return Object.defineProperty(tileset, 'extras', { value: extras });
  };
}

/** sRGB from 0 to 1 (IEC 61966-2-1). */
const linearOf = (value: number): number =>
  value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
