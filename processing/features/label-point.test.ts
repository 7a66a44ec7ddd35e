import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { clearGeometry, pushPosition } from '@platen/formats/feature/geometry-buffer';
import { labelPoint } from './label-point.ts';
import { addPart, makeFeature } from './testing.ts';

type Position = readonly [number, number];
type Ring = readonly Position[];

const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const labelOf = (...polygons: Ring[][]) =>
  labelPoint(makeFeature({}, polygons.length === 1 ? 'Polygon' : 'MultiPolygon', polygons).geometry);

/** Even-odd, on its own. */
function isIn(rings: readonly Ring[], [x, y]: Position): boolean {
  let inside = false;
  for (const ring of rings) {
    for (const [i, [ax, ay]] of ring.entries()) {
      const [bx, by] = ring.at(i - 1)!;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}

function assertNear(actual: Position | undefined, expected: Position, tolerance: number): void {
  assert.ok(actual, 'there is a label');
  const distance = Math.hypot(actual[0] - expected[0], actual[1] - expected[1]);
  assert.ok(distance <= tolerance, `${actual.join(' ')} is ${distance} from ${expected.join(' ')}`);
}

test('a box has its label in the middle, whichever way its ring runs, closed or not', () => {
  assertNear(labelOf([box(8, 0, 10, 1)]), [9, 0.5], 1e-9);
  assertNear(labelOf([box(8, 0, 10, 1).toReversed()]), [9, 0.5], 1e-9);
  assertNear(labelOf([box(8, 0, 10, 1).slice(0, -1)]), [9, 0.5], 1e-9);
});

test('the label of an L is where it is widest, not at its centre', () => {
  const shape: Ring = [[0, 0], [10, 0], [10, 1], [4, 1], [4, 4], [0, 4], [0, 0]]; // prettier-ignore
  assertNear(labelOf([shape]), [2, 2], 0.15);
});

test('holes are avoided', () => {
  const rings = [box(0, 0, 9, 9), box(1, 1, 5, 8)];
  const label = labelOf(rings)!;
  assert.ok(Math.abs(label[0] - 7) < 0.2, `${label.join(' ')} is between the hole and the edge`);
  assert.ok(isIn(rings, label));
});

test('the largest of several polygons is labelled', () => {
  assertNear(labelOf([box(0, 0, 1, 1)], [box(10, 0, 12, 2)], [box(20, 0, 21, 1)]), [11, 1], 1e-9);
  const collection = makeFeature({}, 'Point');
  addPart(collection, 'Polygon', [[box(5, 5, 6, 6)]]);
  assertNear(labelPoint(collection.geometry), [5.5, 5.5], 1e-9);
});

test('a geometry without an area has no label', () => {
  assert.equal(labelPoint(makeFeature({}).geometry), undefined);
  assert.equal(labelOf([[[1, 1], [2, 2], [1, 1]]]), undefined); // prettier-ignore
  assert.equal(labelOf([[[1, 1]]]), undefined);
  assert.equal(labelOf([[]]), undefined);
  assert.equal(labelOf([]), undefined);
  for (const bad of [NaN, Infinity, -Infinity, 1e300])
    assert.equal(labelOf([[[0, 0], [bad, 0], [1, bad], [0, 0]]]), undefined); // prettier-ignore
});

test('the label is always inside, near the best possible point', () => {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 300; round++) {
    const corners = 3 + Math.floor(random() ** 3 * 1500);
    const ring: Position[] = Array.from({ length: corners }, (_, i) => {
      const angle = (i / corners) * 2 * Math.PI;
      const radius = 0.05 + random() ** 4;
      return [20 + Math.cos(angle) * radius, 40 + Math.sin(angle) * radius * 0.3];
    });
    const label = labelOf([ring]);
    assert.ok(label && isIn([ring], label), `round ${round} with ${corners} corners`);
  }
});

test('far north, where degrees of longitude are short, the label is in the middle on the ground', () => {
  // A triangle upon a long base: at 80°, a degree of longitude is a sixth of one of latitude.
  const at = (latitude: number) => labelOf([[[0, latitude], [2, latitude], [0, latitude + 2]]])!; // prettier-ignore
  const incircle = 2 - Math.SQRT2;
  assertNear(at(0), [incircle, incircle], 0.12);
  const narrow = Math.cos((80 * Math.PI) / 180);
  const side = 2 * narrow;
  const radius = (side + 2 - Math.hypot(side, 2)) / 2;
  assertNear(at(80), [radius / narrow, 80 + radius], 0.5);
});

test('a long strip, a comb and a star of a million corners take no time', () => {
  const { geometry } = makeFeature({}, 'Polygon', [[]]);
  const measure = (corners: number, position: (i: number) => Position): Position => {
    clearGeometry(geometry);
    for (let i = 0; i < corners; i++) pushPosition(geometry, ...position(i));
    geometry.ringEnds.push(corners);
    geometry.polygonEnds.push(1);
    geometry.parts.push({ type: 'Polygon', polygonStart: 0, polygonEnd: 1 });
    const begin = process.cpuUsage();
    const label = labelPoint(geometry);
    // not by the clock: others may have the processor
    assert.ok(process.cpuUsage(begin).user < 2_000_000);
    assert.ok(label);
    return label;
  };
  const million = 1_000_000;
  assertNear(labelOf([box(0, 10, 180, 10 + 1e-9)]), [90, 10], 90);
  const [, latitude] = measure(million, (i) => {
    const isBack = i === 0 || i === million - 1;
    return [i / million, isBack ? 0 : i % 4 < 2 ? 50 : 1];
  });
  assert.ok(latitude > 0 && latitude < 50);
  measure(million, (i) => {
    const radius = i % 2 === 0 ? 1 : 0.5;
    return [Math.cos((i / million) * 6.28) * radius, Math.sin((i / million) * 6.28) * radius];
  });
});

const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../../shared/data');
const extract = join(samples, 'vector/liechtenstein.geojsonl.gz');

test(
  'every area of an OpenStreetMap extract has its label inside',
  { skip: existsSync(extract) ? false : `SKIPPED: ${extract} is not there` },
  () => {
    const lines = gunzipSync(readFileSync(extract)).toString().trim().split('\n');
    let areas = 0;
    for (const line of lines) {
      const { geometry } = JSON.parse(line) as { geometry: { type: string; coordinates: never } };
      if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') continue;
      const polygons: Ring[][] = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
      const label = labelOf(...polygons);
      assert.ok(label && polygons.some((rings) => isIn(rings, label)), line.slice(0, 200));
      areas++;
    }
    assert.ok(areas > 1000, `${areas}`);
  },
);
