import assert from 'node:assert/strict';
import { VectorTile } from '@mapbox/vector-tile';
import fc from 'fast-check';
import { PbfReader } from 'pbf';
import { worldBits, worldSize } from '../tile/world-grid.ts';
import { extent, keys, type Point, type TestRecord } from './testing.ts';
import { createTileEncoder, type TileEncoder } from './tile-encoder.ts';

export const maxZoom = 14;

export interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** One for each buffer and number of keys, used again and again as the tiler does. */
const encoders = new Map<string, TileEncoder>();

function encoderFor(buffer: number): TileEncoder {
  const name = `${buffer} ${keys.names.length}`;
  let encoder = encoders.get(name);
  if (encoder) return encoder;
  encoder = createTileEncoder({
    extent,
    buffer,
    maxZoom,
    dustLength: 3,
    dustArea: 16,
    repair: true,
    layers: ['test'],
    keys: keys.names,
    maxTileBytes: 1e6,
  });
  encoders.set(name, encoder);
  return encoder;
}

export function encode(
  { z, x, y }: Tile,
  { store, record, shape }: TestRecord,
  buffer: number,
): Uint8Array | undefined {
  const encoder = encoderFor(buffer);
  encoder.begin(z, x, y);
  encoder.add(store, record, shape);
  return encoder.finish()?.slice();
}

export function decode(bytes: Uint8Array | undefined): Point[][] {
  if (bytes === undefined) return [];
  const layer = new VectorTile(new PbfReader(bytes)).layers['test']!;
  assert.equal(layer.version, 2);
  assert.equal(layer.extent, extent);
  return Array.from({ length: layer.length }, (_, i) => layer.feature(i).loadGeometry())
    .flat()
    .map((ring) => ring.map(({ x, y }): Point => [x, y]));
}

export const shiftAt = (z: number): number => worldBits - 12 - z;

/** A tile well inside the world, and points around it in units of that tile, some far away. */
export const somewhere = fc.record({
  z: fc.integer({ min: 2, max: 14 }),
  spread: fc.constantFrom(60, 400, 3000, 9000, 60_000),
  x: fc.double({ min: 0.3, max: 0.7, noNaN: true }),
  y: fc.double({ min: 0.3, max: 0.7, noNaN: true }),
});

export const tileAt = ({ z, x, y }: { z: number; x: number; y: number }): Tile => ({
  z,
  x: Math.floor(x * 2 ** z),
  y: Math.floor(y * 2 ** z),
});

export const walk = (minLength: number) =>
  fc.array(
    fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true })),
    {
      minLength,
      maxLength: 40,
    },
  );

/** Long strides and small steps, so that different zooms need different vertices. */
export const winding = fc
  .array(
    fc.record({
      size: fc.constantFrom(1, 0.3, 0.05, 0.004, 0.0005),
      dx: fc.double({ min: -1, max: 1, noNaN: true }),
      dy: fc.double({ min: -1, max: 1, noNaN: true }),
    }),
    { minLength: 4, maxLength: 80, size: 'max' },
  )
  .map((steps) => {
    let x = 0;
    let y = 0;
    return steps.map(({ size, dx, dy }): [number, number] => [(x += dx * size), (y += dy * size)]);
  });

/** In world units, inside the world. */
export function place(points: readonly (readonly [number, number])[], tile: Tile, spread: number): Point[] {
  const unit = 2 ** shiftAt(tile.z);
  const inWorld = (value: number): number => Math.min(worldSize - 1, Math.max(1, Math.round(value)));
  return points.map(([dx, dy]): Point => [
    inWorld((tile.x * extent + 2048 + dx * spread) * unit),
    inWorld((tile.y * extent + 2048 + dy * spread) * unit),
  ]);
}

/** Around the middle of the tile, so that it does not cross itself. */
export const star = fc
  .array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 3, maxLength: 24 })
  .map((radii) =>
    radii.map((radius, i): Point => {
      const angle = (i / radii.length) * 2 * Math.PI + 0.1;
      return [Math.cos(angle) * radius, Math.sin(angle) * radius];
    }),
  );
