import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectFeatures, type PlacedFeature } from './painted-features.ts';
import { painterOf } from './style-painter.ts';

const clip = { left: 0, top: 0, right: 1200, bottom: 630 };
const feature = (positions: number): PlacedFeature => ({
  type: 2,
  path: { coordinates: new Float64Array(positions * 2), partEnds: [positions] },
  scale: 1,
  left: 0,
  top: 0,
  extent: 4096,
  clip,
});

/** How many features are taken, of more than anybody may send. */
function countTaken(positions: number): number {
  const { add } = collectFeatures(painterOf(undefined));
  let taken = 0;
  while (taken < 1_000_000 && add(feature(positions), positions, () => undefined)) taken++;
  return taken;
}

test('a picture takes a limited number of features and of positions', () => {
  assert.equal(countTaken(2), 200_000);
  assert.equal(countTaken(400_000), 10);
});
