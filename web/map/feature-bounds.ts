import type { Feature, FeatureCollection, Geometry } from 'geojson';
import type { Bounds } from './bounds.ts';

/** The extent of all coordinates; undefined if none can be shown. */
export function boundsOfFeatures(features: readonly Feature[]): Bounds | undefined {
  const bounds: Bounds = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { geometry } of features) if (geometry) extend(bounds, geometry);
  return bounds[0] <= bounds[2] ? bounds : undefined;
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
