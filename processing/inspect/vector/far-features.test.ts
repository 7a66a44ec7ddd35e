import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFarFeatureSearch } from './far-features.ts';

type Position = readonly [longitude: number, latitude: number];

function searchIn(features: readonly (readonly Position[])[]) {
  const search = createFarFeatureSearch();
  for (const [index, positions] of features.entries())
    search.see(Float64Array.from(positions.flat()), positions.length, () => ({ feature: index + 1 }));
  return search.find();
}

/** In Berlin, 100 m apart. */
const trees = (count: number) =>
  Array.from({ length: count }, (_, i): Position[] => [[13.4 + (i % 100) / 1000, 52.5 + i / count / 100]]);
const numbersOf = (found: ReturnType<typeof searchIn>) => found?.far.map(({ place }) => place.feature);

test('features far from nearly all others are found, wherever in the file they are', () => {
  const found = searchIn([...trees(20_000), [[0, 0]], ...trees(20_000)]);
  assert.deepEqual(numbersOf(found), [20_001]);
  assert.deepEqual([found!.far[0]!.longitude, found!.far[0]!.latitude], [0, 0]);
  const [west, south, east, north] = found!.typical;
  assert.ok(west >= 13.4 && south >= 52.5 && east < 13.5 && north < 52.51, String(found!.typical));
  const line: Position[] = [
    [13.4, 52.5],
    [8, 47],
  ];
  assert.deepEqual(numbersOf(searchIn([line, ...trees(60), [[13.4, -52]]])), [1, 62]);
});

test('features that lie together, are spread over the world, or are few have none far away', () => {
  assert.equal(searchIn(trees(1000)), undefined);
  assert.equal(searchIn([[[0, 0]], ...trees(40)]), undefined);
  const world = Array.from({ length: 1000 }, (_, i): Position[] => [
    [((i * 37) % 360) - 180, (i % 140) - 70],
  ]);
  assert.equal(searchIn(world), undefined);
  assert.equal(searchIn(trees(1000).map(() => [[7, 43]])), undefined, 'all at one place');
  assert.equal(searchIn([...trees(100), [[Number.NaN, 3]]]), undefined);
});

test('neighbours across the antimeridian are not far away', () => {
  const islands = Array.from({ length: 400 }, (_, i): Position[] => [[179 + i / 500, -17 + i / 1000]]);
  assert.equal(searchIn([...islands, [[-179.9, -17]]]), undefined);
  assert.deepEqual(numbersOf(searchIn([...islands, [[-170, -17]]])), [401]);
});
