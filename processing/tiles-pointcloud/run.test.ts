import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { findCrs } from '@platen/formats/crs/find-crs';
import { writeLas, type WrittenPoint } from '@platen/formats/las/testing';
import { geocentricOf } from '@platen/geo/geodesy/geocentric';
import { transformPosition } from '@platen/geo/geodesy/matrix';
import { afterFile } from '../../checks/clean-up.ts';
import { openPointTests, readTileset, type PointRun, type ReadTileset } from './testing.ts';
import { littleMemory, noise, small, town, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

interface PlacedPoint {
  readonly at: readonly number[];
  readonly intensity: number;
  readonly kind: number;
}

/** Where points are in EPSG:4978, straight through all formulas. */
function expectedOf(points: readonly WrittenPoint[]): PlacedPoint[] {
  const crs = findCrs('EPSG:25832');
  const lonLat = Float64Array.from(points.flatMap(({ x, y }) => [x, y]));
  crs.toLonLat(lonLat, points.length);
  return points.map(({ z, intensity = 0, classification = 0 }, i) => ({
    at: geocentricOf(lonLat[i * 2]!, lonLat[i * 2 + 1]!, z),
    intensity,
    kind: classification,
  }));
}

function placedOf({ tiles, transform }: ReadTileset): PlacedPoint[] {
  return tiles.flatMap(({ places, properties }) =>
    Array.from({ length: places.length / 3 }, (_, i) => ({
      at: transformPosition(transform, [places[i * 3]!, places[i * 3 + 1]!, places[i * 3 + 2]!]),
      intensity: properties['INTENSITY']?.[i] ?? 0,
      kind: properties['CLASSIFICATION']?.[i] ?? 0,
    })),
  );
}

/** Every point has a partner with its own attributes within a distance, and nothing is left. */
function assertSamePoints(
  actual: readonly PlacedPoint[],
  expected: readonly PlacedPoint[],
  metres: number,
): void {
  assert.equal(actual.length, expected.length);
  const cellOf = ({ at }: PlacedPoint, shift: readonly number[]) =>
    at.map((value, i) => Math.floor(value / 0.05) + shift[i]!).join(' ');
  const cells = new Map<string, PlacedPoint[]>();
  for (const point of actual) {
    const key = cellOf(point, [0, 0, 0]);
    cells.set(key, [...(cells.get(key) ?? []), point]);
  }
  const shifts = Array.from({ length: 27 }, (_, i) => [
    (i % 3) - 1,
    (Math.floor(i / 3) % 3) - 1,
    Math.floor(i / 9) - 1,
  ]);
  for (const point of expected) {
    const near = shifts.flatMap((shift) => cells.get(cellOf(point, shift)) ?? []);
    const partner = near.find(
      ({ at, intensity, kind }) =>
        intensity === point.intensity &&
        kind === point.kind &&
        Math.hypot(...at.map((value, axis) => value - point.at[axis]!)) <= metres,
    );
    assert.ok(partner, `${point.at.join(' ')} is missing`);
  }
}

const archiveOf = ({ outputFolder, result }: PointRun): Buffer =>
  readFileSync(join(outputFolder, result.datasource!.path));

test('every point stands in exactly one tile, within the precision, with its own attributes', async () => {
  const points = town(60_000);
  const file = await tests.put('town.las', writeLas({ pointFormat: 2, points, records: [utm] }));
  const run = await tests.run([file], small);
  const tileset = await readTileset(run);
  assertSamePoints(placedOf(tileset), expectedOf(points), 0.005);
  const { properties, typeProperties } = run.result.datasource!;
  assert.equal(properties['pointCount'], 60_000);
  assert.equal(typeProperties['pointCloud'], true);
  const styles = properties['styles'] as { name: string }[];
  assert.deepEqual(
    styles.map(({ name }) => name),
    ['Colour', 'Classification', 'Intensity'],
  );
});

test('tiles enclose those below, show ever more points, and are neither too large nor too small', async () => {
  const file = await tests.put(
    'town.las',
    writeLas({ pointFormat: 2, points: town(80_000), records: [utm] }),
  );
  const { tiles } = await readTileset(await tests.run([file], small));
  assert.ok(tiles.length > 10);
  for (const { places, box, parent, geometricError, uri } of tiles) {
    assert.ok(geometricError > 0, uri);
    if (parent) {
      assert.ok(geometricError < parent.geometricError, uri);
      for (let axis = 0; axis < 3; axis++) {
        const half: number = box[3 + axis * 4]!;
        const outer: number = parent.box[3 + axis * 4]!;
        assert.ok(Math.abs(box[axis]! - parent.box[axis]!) <= outer - half + 0.002, uri);
      }
    }
    for (let i = 0; i < places.length; i++)
      assert.ok(Math.abs(places[i]! - box[i % 3]!) <= box[3 + (i % 3) * 4]! + 0.001, uri);
    assert.ok(places.length / 3 <= 10_000, uri);
  }
  // as 2,000 of 60,000
  const little = tiles.filter(({ places }) => places.length / 3 < small.tiling.pointsPerTile / 30);
  assert.ok(little.length < tiles.length / 20, `${little.length} of ${tiles.length} tiles have few points`);
});

test('points of a level are spread evenly', async () => {
  const file = await tests.put(
    'town.las',
    writeLas({ pointFormat: 2, points: town(80_000), records: [utm] }),
  );
  const options = { ...small, tiling: { pointsPerTile: 2000 } };
  const { tiles } = await readTileset(await tests.run([file], options));
  // leaves have what is left; places are rounded to 5 mm
  const inner = new Set(tiles.flatMap(({ parent }) => parent ?? []));
  const levels = Map.groupBy(inner, ({ level }) => level);
  assert.ok(levels.size >= 3, `${levels.size} levels`);
  for (const [level, ofLevel] of levels) {
    const limit = 0.7 * (ofLevel[0]!.geometricError / 6) - 0.01;
    const near = ofLevel.reduce((sum, { places }) => sum + countNear(places, limit), 0);
    const count = ofLevel.reduce((sum, { places }) => sum + places.length / 3, 0);
    assert.ok(near / count < 0.01, `${near} of ${count} of level ${level}`);
  }
});

/** How many points have another one nearer than a limit. */
function countNear(places: Float64Array, limit: number): number {
  const indices = Array.from({ length: places.length / 3 }, (_, i) => i * 3).toSorted(
    (a, b) => places[a]! - places[b]!,
  );
  const near = new Set<number>();
  for (const [place, at] of indices.entries())
    for (let next = place + 1; next < indices.length; next++) {
      const other = indices[next]!;
      const [dx, dy, dz] = [0, 1, 2].map((axis) => places[other + axis]! - places[at + axis]!);
      if (dx! >= limit) break;
      if (Math.hypot(dx!, dy!, dz!) < limit) near.add(at).add(other);
    }
  return near.size;
}

test('neither threads, nor memory, nor the order of inputs, nor other formats change a byte', async () => {
  const west = town(90_000, 3);
  const east = town(90_000, 4, [500_150, 5_400_050]);
  const inputs = await Promise.all([
    tests.put('west.las', writeLas({ pointFormat: 2, points: west, records: [utm] })),
    tests.put('east.las', writeLas({ pointFormat: 2, minor: 4, points: east, records: [utm] })),
  ]);
  const archive = archiveOf(await tests.run(inputs, { ...small, processing: { workers: 1 } }));
  for (const [workers, memoryMegabytes, more] of [
    [1, 256, {}],
    [2, 1024, littleMemory],
    [5, 2048, {}],
  ] as const) {
    const options = { ...small, processing: { workers, memoryMegabytes } };
    const run = tests.run(inputs.toReversed(), options, more);
    assert.ok(archiveOf(await run).equals(archive));
  }
});

test('duplicates are dropped and counted, or kept', async () => {
  const points = town(3000);
  const file = await tests.put(
    'twice.las',
    writeLas({ pointFormat: 2, points: [...points, ...points.slice(0, 500)], records: [utm] }),
  );
  const dropped = await tests.run([file], small);
  assert.deepEqual(
    [
      dropped.result.datasource!.properties['pointCount'],
      dropped.result.datasource!.properties['duplicates'],
    ],
    [3000, 500],
  );
  const kept = await tests.run([file], { ...small, processing: { duplicates: 'keep' } });
  assert.equal(kept.result.datasource!.properties['pointCount'], 3500);
});

test('any cloud, however its points lie, becomes tiles that add up', async () => {
  const clouds = fc.record({
    count: fc.integer({ min: 1, max: 12_000 }),
    width: fc.constantFrom(0, 0.02, 3, 4000),
    depth: fc.constantFrom(0, 0.5, 900),
    height: fc.constantFrom(0, 40),
    seed: fc.nat({ max: 0x7fff_ffff }),
  });
  await fc.assert(
    fc.asyncProperty(clouds, async ({ count, width, depth, height, seed }) => {
      const random = noise(seed);
      const points = Array.from({ length: count }, (_, i) => ({
        x: 600_000 + Math.round(random() * width * 100) / 100,
        y: 5_500_000 + Math.round(random() * depth * 100) / 100,
        z: Math.round(random() * height * 100) / 100,
        intensity: i % 65_536,
      }));
      const file = await tests.put('any.las', writeLas({ points, records: [utm] }));
      const run = await tests.run([file], { ...small, modelOptions: { attributes: ['intensity'] } });
      const tileset = await readTileset(run);
      const seen = tileset.tiles.flatMap(({ properties }) => Array.from(properties['INTENSITY']!));
      assert.deepEqual(
        seen.toSorted((a, b) => a - b),
        Array.from({ length: count }, (_, i) => i),
      );
    }),
    { numRuns: 12 },
  );
});

test('attributes and classes are selected', async () => {
  const points = town(4000);
  const file = await tests.put('town.las', writeLas({ minor: 4, pointFormat: 8, points, records: [utm] }));
  const run = await tests.run([file], {
    ...small,
    modelOptions: {
      classes: [6],
      attributes: [
        'classification',
        'gpsTime',
        'userData',
        'scanAngle',
        'pointSource',
        'infrared',
        'numberOfReturns',
      ],
    },
  });
  const { tiles } = await readTileset(run);
  const houses = points.filter(({ classification }) => classification === 6).length;
  assert.equal(run.result.datasource!.properties['pointCount'], houses);
  assert.equal(run.result.datasource!.properties['filtered'], 4000 - houses);
  assert.deepEqual(Object.keys(tiles[0]!.properties).toSorted(), [
    'CLASSIFICATION',
    'GPS_TIME',
    'INFRARED',
    'NUMBER_OF_RETURNS',
    'POINT_SOURCE',
    'SCAN_ANGLE',
    'USER_DATA',
  ]);
  assert.ok([...(tiles[0]!.properties['CLASSIFICATION'] as Uint8Array)].every((kind) => kind === 6));
});

test('colours of 8 and of 16 bits are told apart', async () => {
  const points = town(2000);
  const deep = points.map((point) => ({ ...point, colour: [0xff00, 0x8000, 0x100] as const }));
  const [plain, other] = await Promise.all(
    [points, deep].map((some) =>
      tests.put('c.las', writeLas({ pointFormat: 2, points: some, records: [utm] })),
    ),
  );
  const first = await readTileset(await tests.run([plain!], small));
  assert.deepEqual([...first.tiles[0]!.colours!.subarray(1, 3)], [120, 200]);
  const second = await readTileset(await tests.run([other!], small));
  assert.deepEqual([...second.tiles[0]!.colours!.subarray(0, 3)], [255, 128, 1]);
});

test('a folder has the same tiles, unpacked', async () => {
  const points = town(8000);
  const file = await tests.put('town.las', writeLas({ pointFormat: 2, points, records: [utm] }));
  const run = await tests.run([file], { ...small, output: { format: 'folder' } });
  assert.equal(run.result.datasource!.path, 'tileset');
  assertSamePoints(placedOf(await readTileset(run)), expectedOf(points), 0.005);
});
