import { lineType, pointType, polygonType, type ShapeType } from '@platen/geo/shape/shape';
import { gridX, gridY, worldSize } from '@platen/geo/tile/world-grid';
import type { ReadRange } from '@platen/geo/pmtiles/read-archive';
import { isObject } from '../../../base/is-object.ts';
import { previewHeight, previewWidth, type View } from '../view.ts';
import type { AddFeature } from './painted-features.ts';

const maxReadBytes = 1024 * 1024;
const clip = { left: 0, top: 0, right: previewWidth, bottom: previewHeight };
/** Collections within collections. */
const maxDepth = 4;

type Place = Omit<View, 'mark'>;
type Json = Readonly<Record<string, unknown>>;

/** Adds the features of a GeoJSON file in degrees; whatever is no geometry is left out. @throws SyntaxError if it is no JSON */
export async function readGeoJson(
  read: ReadRange,
  size: number,
  view: Place,
  add: AddFeature,
): Promise<void> {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < size; at += maxReadBytes)
    parts.push(await read(at, Math.min(maxReadBytes, size - at)));
  const content = JSON.parse(new TextDecoder().decode(Buffer.concat(parts))) as unknown;
  const shifts = copiesIn(view);
  const addGeometry = (geometry: unknown, value: (key: string) => unknown, depth = 0): void => {
    if (!isObject(geometry)) return;
    if (geometry['type'] === 'GeometryCollection' && depth < maxDepth)
      return listOf(geometry['geometries']).forEach((one) => addGeometry(one, value, depth + 1));
    const shape = shapeOf(geometry);
    if (shape === undefined) return;
    const { coordinates, partEnds, type } = shape;
    for (const left of shifts) {
      const place = { scale: view.worldPixels / worldSize, left, top: view.top, clip, extent: Infinity };
      add({ type, path: { coordinates, partEnds }, ...place }, coordinates.length / 2, value);
    }
  };
  for (const feature of featuresOf(content)) {
    const properties = isObject(feature['properties']) ? feature['properties'] : {};
    addGeometry(feature['geometry'], (key) => (Object.hasOwn(properties, key) ? properties[key] : undefined));
  }
}

/** The left edges of the worlds that the view shows. */
function copiesIn({ left, worldPixels }: Place): number[] {
  const all = [left - worldPixels, left, left + worldPixels];
  return all.filter((edge) => edge < previewWidth && edge + worldPixels > 0);
}

function featuresOf(content: unknown): readonly Json[] {
  if (!isObject(content)) return [];
  if (content['type'] === 'FeatureCollection') return listOf(content['features']).filter(isObject);
  return content['type'] === 'Feature' ? [content] : [{ geometry: content }];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The type, and how deep the lines or rings are in the coordinates. */
const types: Readonly<Record<string, readonly [ShapeType, number]>> = {
  Point: [pointType, -1],
  MultiPoint: [pointType, 0],
  LineString: [lineType, 0],
  MultiLineString: [lineType, 1],
  Polygon: [polygonType, 1],
  MultiPolygon: [polygonType, 2],
};

interface Shape {
  readonly type: ShapeType;
  /** In units of the world. */
  readonly coordinates: number[];
  readonly partEnds: number[];
}

function shapeOf({ type, coordinates }: Json): Shape | undefined {
  const known = typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined;
  if (!known) return undefined;
  const shape: Shape = { type: known[0], coordinates: [], partEnds: [] };
  collect(known[1] < 0 ? [coordinates] : coordinates, Math.max(0, known[1]), shape);
  return shape.coordinates.length > 0 ? shape : undefined;
}

function collect(value: unknown, depth: number, shape: Shape): void {
  if (depth > 0) {
    for (const part of listOf(value)) collect(part, depth - 1, shape);
    return;
  }
  const before = shape.coordinates.length;
  for (const position of listOf(value)) {
    const [longitude, latitude] = listOf(position);
    if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) continue;
    shape.coordinates.push(gridX(longitude as number), gridY(latitude as number));
  }
  if (shape.coordinates.length > before) shape.partEnds.push(shape.coordinates.length / 2);
}
