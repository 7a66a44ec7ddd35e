import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDrawn } from './poster.ts';

interface Collection {
  readonly show?: boolean;
  readonly length: number;
  get(index: number): object;
}
const collectionOf = (members: readonly object[], show = true): Collection => ({
  show,
  length: members.length,
  get: (index) => members[index]!,
});
const quadtree = (waiting: number, hasBegun = true) => ({
  _levelZeroTiles: hasBegun ? [{}] : undefined,
  _tileLoadQueueHigh: [],
  _tileLoadQueueMedium: Array.from({ length: waiting }),
  _tileLoadQueueLow: [],
});
/** @param members what lies in the scene of a globe, as Cesium keeps it */
const globeWith = (members: readonly object[], tilesLoaded = true) => ({
  className: 'CesiumMap',
  getScene: () => ({ globe: { tilesLoaded }, primitives: collectionOf(members) }),
});

test('a globe is drawn when its tiles, vector tiles, tilesets and shapes are', () => {
  assert.equal(isDrawn(globeWith([])), true);
  assert.equal(isDrawn(globeWith([], false)), false);
  for (const [unfinished, finished] of [
    [quadtree(1), quadtree(0)],
    [quadtree(0, false), quadtree(0)],
    [{ tilesLoaded: false }, { tilesLoaded: true }],
    [{ ready: false }, { ready: true }],
  ] as const) {
    assert.equal(isDrawn(globeWith([finished, unfinished])), false);
    assert.equal(isDrawn(globeWith([finished, collectionOf([unfinished])])), false, 'in a layer');
    assert.equal(isDrawn(globeWith([finished, collectionOf([unfinished], false)])), true, 'hidden');
    assert.equal(isDrawn(globeWith([finished])), true);
  }
});

test('flat maps say themselves when they are drawn', () => {
  assert.equal(isDrawn({ className: 'OpenlayersMap' }), true);
  assert.equal(isDrawn(null), true);
});
