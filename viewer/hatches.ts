// Runs in the browser, as a part of start.ts: areas of styles by attributes are hatched. The engine has patterns for styles
// without expressions only.

interface Fill {
  getColor(): unknown;
}
interface Style {
  getFill(): Fill | null;
  setFill(fill: Fill): void;
}
interface Feature {
  get(attribute: string): unknown;
}

/** See styles/hatch.ts, which writes them. */
interface DrawnHatch {
  /** All features, if absent. */
  readonly attribute?: string;
  readonly values?: readonly unknown[];
  readonly pattern: object;
}
interface StyleItem {
  readonly properties?: { readonly hatches?: readonly DrawnHatch[] };
}
type DrawArea = (this: StyleItem, feature: Feature) => Style;

/** The part of engines 5.0 to 6.3 that is used. */
export interface HatchCore {
  readonly DeclarativeStyleItem: { readonly prototype: { _stylePolygon: DrawArea } };
  readonly VectorStyleItem: new (options: object) => { readonly style: Style };
}

/** The part of Cesium that is used. */
export interface PatternCesium {
  readonly Material: {
    readonly _materialCache: {
      getMaterial(
        type: string,
      ): { readonly fabric: { readonly components: Record<string, string> } } | undefined;
    };
  };
}

/** Each pattern is a canvas. */
const maxPatterns = 500;

/** Fills areas with the pattern of the first hatch that is for them, over the colour that they have. */
export function drawHatches({ DeclarativeStyleItem: { prototype }, VectorStyleItem }: HatchCore): void {
  const fills = new Map<string, Fill>();
  const draw = prototype._stylePolygon;
  prototype._stylePolygon = function drawWithHatch(this: StyleItem, feature: Feature) {
    const style = draw.call(this, feature);
    const hatch = this.properties?.hatches?.find(
      ({ attribute, values }) =>
        attribute === undefined || values === undefined || values.includes(feature.get(attribute)),
    );
    const fill = hatch && style.getFill();
    if (fill) style.setFill(fillOf(fill.getColor(), hatch.pattern));
    return style;
  };

  function fillOf(color: unknown, pattern: object): Fill {
    const key = JSON.stringify([color, pattern]);
    const known = fills.get(key);
    if (known) return known;
    if (fills.size >= maxPatterns) fills.clear();
    const made = new VectorStyleItem({ fill: { color, pattern } }).style.getFill()!;
    fills.set(key, made);
    return made;
  }
}

/**
 * Engines 5.0 to 6.2 write the material of patterns in the shading language of WebGL 1, which their Cesium does not translate: the
 * first hatched area stops the globe. Cesium translates `texture` to older languages by itself.
 */
export function repairPatterns({ Material }: PatternCesium): void {
  const components = Material._materialCache.getMaterial('Wallpaper')?.fabric.components ?? {};
  for (const [name, code] of Object.entries(components))
    components[name] = code.replaceAll('texture2D(', 'texture(');
}
