// Runs in the browser, as a part of start.ts: areas have their label inside, lines in their middle. The engine writes labels
// of points only. Tiles hold parts of features, each of which would have the label: a job places labels there.

import type { ZoomApp } from './zoom-styles.ts';

interface Text {
  setTextAlign(align: 'center'): void;
  setTextBaseline(baseline: 'middle'): void;
  setOffsetX(pixels: number): void;
  setOffsetY(pixels: number): void;
}
interface Style {
  clone(): Style;
  setFill(fill: null): void;
  setStroke(stroke: null): void;
  setText(text: Text): void;
  setGeometry(point: object): void;
}
type Coordinate = readonly number[];
/** Of OpenLayers. */
interface Geometry {
  getType(): string;
  getPolygons?(): readonly Geometry[];
  getLineStrings?(): readonly Geometry[];
  getInteriorPoint?(): { getCoordinates(): Coordinate };
  getArea?(): number;
  getLength?(): number;
  getCoordinateAt?(share: number): Coordinate;
}
interface Point {
  clone(): Point;
  setCoordinates(coordinates: Coordinate): void;
}
interface Feature {
  readonly [layerName: symbol]: string | undefined;
  getGeometry(): Geometry | undefined;
}
interface StyleItem {
  readonly properties?: {
    readonly mapStyle?: { readonly style?: { readonly label?: object; readonly hasPlacedLabels?: boolean } };
  };
}
type DrawPoint = (this: StyleItem, feature: Feature) => { getText(): Text | null };
type DrawShape = (this: StyleItem, feature: Feature) => Style | readonly Style[];

/** The part of engines 5.0 to 6.3 that is used. */
export interface ShapeLabelCore {
  /** The key under which features name their layer. */
  readonly vcsLayerName: symbol;
  readonly DeclarativeStyleItem: {
    readonly prototype: {
      readonly _stylePoint: DrawPoint;
      _styleLineString: DrawShape;
      _stylePolygon: DrawShape;
    };
  };
  parseGeoJSON(geometry: object): { readonly features: readonly { getGeometry(): Point }[] };
}
export interface ShapeLabelApp extends ZoomApp {
  readonly layers: { getByKey(name: string): { readonly className: string } | undefined };
}

/** After all that changes labels of points, and how lines and areas are drawn. */
export function labelShapes(core: ShapeLabelCore, { layers }: ShapeLabelApp): void {
  const { prototype } = core.DeclarativeStyleItem;
  const { _stylePolygon: drawArea, _styleLineString: drawLine } = prototype;
  /** Finding the inside of an area takes a while. */
  const known = new WeakMap<Geometry, Point | undefined>();

  prototype._stylePolygon = function drawLabelledArea(this: StyleItem, feature: Feature) {
    return withLabel(this, feature, drawArea.call(this, feature));
  };
  prototype._styleLineString = function drawLabelledLine(this: StyleItem, feature: Feature) {
    return withLabel(this, feature, drawLine.call(this, feature));
  };

  function withLabel(item: StyleItem, feature: Feature, drawn: Style | readonly Style[]) {
    const { label, hasPlacedLabels } = item.properties?.mapStyle?.style ?? {};
    if (label === undefined || hasPlacedLabels === true || !isWhole(feature)) return drawn;
    const text = prototype._stylePoint.call(item, feature).getText();
    const geometry = text && feature.getGeometry();
    const point = geometry && pointOf(geometry);
    if (!text || !point) return drawn;
    text.setTextAlign('center');
    text.setTextBaseline('middle');
    text.setOffsetX(0);
    text.setOffsetY(0);
    const styles = [drawn].flat();
    const own = styles.at(-1)!.clone();
    own.setFill(null);
    own.setStroke(null);
    own.setText(text);
    own.setGeometry(point);
    return [...styles, own];
  }

  function isWhole(feature: Feature): boolean {
    const layer = layers.getByKey(feature[core.vcsLayerName] ?? '');
    return layer !== undefined && layer.className !== 'VectorTileLayer';
  }

  function pointOf(geometry: Geometry): Point | undefined {
    if (!known.has(geometry)) known.set(geometry, makePoint(placeIn(geometry)));
    return known.get(geometry);
  }

  let first: Point | undefined;
  function makePoint(place: Coordinate | undefined): Point | undefined {
    if (place === undefined || !place.every(Number.isFinite)) return undefined;
    first ??= core
      .parseGeoJSON({ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [0, 0] } })
      .features[0]!.getGeometry();
    const point = first.clone();
    point.setCoordinates(place);
    return point;
  }
}

/** Inside the largest part of an area, or in the middle of the longest part of a line. */
export function placeIn(geometry: Geometry): Coordinate | undefined {
  const [areas, lines] = [geometry.getPolygons?.(), geometry.getLineStrings?.()];
  if (areas)
    return largest(areas, (area) => area.getArea?.() ?? 0)
      ?.getInteriorPoint?.()
      .getCoordinates()
      .slice(0, 2);
  if (lines)
    return largest(lines, (line) => line.getLength?.() ?? 0)
      ?.getCoordinateAt?.(0.5)
      .slice(0, 2);
  // the third number of an inner point is the width of the area there
  return (geometry.getInteriorPoint?.().getCoordinates() ?? geometry.getCoordinateAt?.(0.5))?.slice(0, 2);
}

const largest = (parts: readonly Geometry[], size: (part: Geometry) => number): Geometry | undefined =>
  parts.reduce<Geometry | undefined>(
    (best, one) => (best && size(best) >= size(one) ? best : one),
    undefined,
  );
