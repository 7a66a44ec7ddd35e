import assert from 'node:assert/strict';
import { buildShape, type Geometry } from '../shape/build-shape.ts';
import type { ShapeType } from '../shape/shape.ts';
import { createInt32Buffer, type Int32Buffer } from '../shape/int32-buffer.ts';
import { simplificationLimits } from '../simplify/vertex-zooms.ts';
import { latitudeOf, longitudeOf, worldSize } from '../tile/world-grid.ts';
import { createKeyTable, type AttributeValue } from './attributes.ts';
import { appendRecordHead } from './record-head.ts';

export type Point = [x: number, y: number];
export type Rings = readonly (readonly Point[])[];

export const extent = 4096;
export const limits = simplificationLimits(3, worldSize / extent, 18);

/** Positions in world units, so that tests know exactly what the grid holds. */
export function geometryOf(
  polygons: readonly Rings[],
): Geometry & { polygonStart: number; polygonEnd: number } {
  const coordinates: number[] = [];
  const ringEnds: number[] = [];
  const polygonEnds: number[] = [];
  for (const rings of polygons) {
    for (const ring of rings) {
      for (const [x, y] of ring) coordinates.push(longitudeOf(x), latitudeOf(y));
      ringEnds.push(coordinates.length / 2);
    }
    polygonEnds.push(ringEnds.length);
  }
  return {
    coordinates: Float64Array.from(coordinates),
    ringEnds,
    polygonEnds,
    polygonStart: 0,
    polygonEnd: polygonEnds.length,
  };
}

export const keys = createKeyTable();

export interface TestRecord {
  readonly store: Int32Buffer;
  readonly record: number;
  readonly shape: number;
}

export function recordOf(
  type: ShapeType,
  polygons: readonly Rings[],
  attributes: Record<string, AttributeValue> = {},
  { id = 2 ** 32 + 7, layer = 0 }: { id?: number; layer?: number } = {},
): TestRecord {
  const store = createInt32Buffer(1 << 10);
  const named = Object.entries(attributes).map(([name, value]) => [keys.keyOf(name), value] as const);
  appendRecordHead(store, { type, layer, id, attributes: named });
  const { shape } = buildShape(store, type, geometryOf(polygons), {
    isMercator: false,
    crossesAntimeridian: false,
    limits,
  });
  assert.ok(shape > 0);
  store.words[0] = store.length;
  return { store, record: 0, shape };
}
