import { latitudeOf, longitudeOf, worldSize } from '@platen/geo/tile/world-grid';

/** In world units; empty while minX is above maxX. */
export interface Bounds {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

export function noBounds(): Bounds {
  return { minX: worldSize, minY: worldSize, maxX: 0, maxY: 0 };
}

/** Extends the bounds by a shape, except for copies beyond the edge of the world, which only fill buffers. */
export function extendByShape(bounds: Bounds, words: Int32Array, shape: number): void {
  const minX = words[shape + 1]!;
  const maxX = words[shape + 3]!;
  if (maxX < 0 || minX > worldSize) return;
  extendBounds(bounds, { minX, minY: words[shape + 2]!, maxX, maxY: words[shape + 4]! });
}

export function extendBounds(bounds: Bounds, by: Readonly<Bounds>): void {
  bounds.minX = Math.min(bounds.minX, by.minX);
  bounds.minY = Math.min(bounds.minY, by.minY);
  bounds.maxX = Math.max(bounds.maxX, by.maxX);
  bounds.maxY = Math.max(bounds.maxY, by.maxY);
}

/** West, south, east, north, clipped to the world. */
export function degreesOf({ minX, minY, maxX, maxY }: Bounds): [number, number, number, number] {
  const inWorld = (value: number): number => Math.min(worldSize, Math.max(0, value));
  const round = (value: number): number => Math.round(value * 1e7) / 1e7;
  return [
    round(longitudeOf(inWorld(minX))),
    round(latitudeOf(inWorld(maxY))),
    round(longitudeOf(inWorld(maxX))),
    round(latitudeOf(inWorld(minY))),
  ];
}
