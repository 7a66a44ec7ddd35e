import type { Feature, FeatureCollection, Geometry } from 'geojson';
import { unionOf, type Bounds } from './bounds.ts';

/** The extent of all coordinates; undefined if none can be shown. */
export function boundsOfFeatures(features: readonly Feature[]): Bounds | undefined {
  const bounds: Bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { geometry } of features) if (geometry) extend(bounds, geometry);
  return bounds[0] <= bounds[2] ? bounds : undefined;
}

/** The share of features at each side that does not count for the view. */
const outerShare = 0.02;
const minFeatures = 50;

/**
 * Where most features are: an extent much smaller than that of all, which a few far ones would dominate, or undefined.
 * @param whole the extent of the data that the features are a sample of
 */
export function typicalBounds(
  features: readonly Feature[],
  whole?: Bounds,
): { readonly bounds: Bounds; readonly far: number } | undefined {
  const boxes = features.map((feature) => boundsOfFeatures([feature])).filter((box) => box !== undefined);
  const all = unionOf([boundsOfFeatures(features), whole]);
  if (!all || boxes.length < minFeatures) return undefined;
  const cut = Math.ceil(boxes.length * outerShare);
  const sorted = (side: 0 | 1 | 2 | 3) => boxes.map((box) => box[side]).toSorted((a, b) => a - b);
  const bounds: Bounds = [
    sorted(0)[cut]!,
    sorted(1)[cut]!,
    sorted(2)[boxes.length - 1 - cut]!,
    sorted(3)[boxes.length - 1 - cut]!,
  ];
  const [width, height] = [bounds[2] - bounds[0], bounds[3] - bounds[1]];
  if (width <= 0 || height <= 0) return undefined;
  if (all[2] - all[0] < 3 * width && all[3] - all[1] < 3 * height) return undefined;
  const reaches = ([west, south, east, north]: Bounds) =>
    west < bounds[0] - width ||
    east > bounds[2] + width ||
    south < bounds[1] - height ||
    north > bounds[3] + height;
  return { bounds, far: boxes.filter(reaches).length };
}

function extend(bounds: Bounds, geometry: Geometry): void {
  if (geometry.type === 'GeometryCollection') for (const one of geometry.geometries) extend(bounds, one);
  else extendBy(bounds, geometry.coordinates);
}

type Coordinates = number | readonly Coordinates[];

function extendBy(bounds: Bounds, coordinates: Coordinates): void {
  if (typeof coordinates === 'number') return;
  const [x, y] = coordinates;
  if (typeof x === 'number' && typeof y === 'number') {
    if (!isPlace(x, y)) return; // not in degrees: it would move the view off the world
    bounds[0] = Math.min(bounds[0], x);
    bounds[1] = Math.min(bounds[1], y);
    bounds[2] = Math.max(bounds[2], x);
    bounds[3] = Math.max(bounds[3], y);
  } else for (const one of coordinates) extendBy(bounds, one);
}

const isPlace = (x: number, y: number) => Math.abs(x) <= 540 && Math.abs(y) <= 90;

/** The features with their index as id, by which the map identifies them; those without geometry are omitted. */
export function withIds(features: readonly Feature[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: features.flatMap((feature, id) => (feature.geometry ? [{ ...feature, id }] : [])),
  };
}
