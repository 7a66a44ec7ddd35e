import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Module } from '@platen/contract/modules';
import { previewHeight, previewWidth, viewOf, type View } from './view.ts';

const berlin = [13.1, 52.3, 13.8, 52.7] as const;
const germany = [5.9, 47.3, 15, 55] as const;
const module = (fields: object) => fields as Module;
const start = (name: string, viewpoint: object) =>
  module({ startingViewpointName: name, viewpoints: [{ name, ...viewpoint }] });

function markOf({ mark }: View) {
  assert.ok(mark);
  return mark;
}

test('a large enough extent has a frame in the middle; a city is a point', () => {
  const frame = markOf(viewOf([], [germany]));
  assert.ok(frame.type === 'frame');
  assert.ok(Math.abs((frame.left + frame.right) / 2 - previewWidth / 2) < 1);
  assert.ok(Math.abs((frame.top + frame.bottom) / 2 - previewHeight / 2) < 1);
  assert.ok(frame.top > 50 && frame.bottom < previewHeight - 50);
  const point = markOf(viewOf([], [berlin]));
  assert.ok(point.type === 'point');
  assert.ok(Math.hypot(point.x - previewWidth / 2, point.y - previewHeight / 2) < 2);
});

test('without data, and with data of the whole world, it shows the world once and marks nothing', () => {
  for (const boxes of [[], [[-180, -85, 180, 85] as const]]) {
    const view = viewOf([], boxes);
    assert.equal(view.worldPixels, previewWidth);
    assert.equal(view.left, 0);
    assert.equal(view.mark, undefined);
  }
});

test('boxes of several datasources are shown together, also across the antimeridian', () => {
  const fiji = [177, -19, -178, -16] as const;
  const both = markOf(viewOf([], [fiji, [160, -30, 170, -10]]));
  assert.ok(both.type === 'frame' && both.left > 0 && both.right < previewWidth);
  assert.ok(both.right - both.left < previewWidth);
});

test('the starting viewpoint decides, of the last module that names one, and the data is marked in it', () => {
  const far = start('far', { groundPosition: [13.4, 52.5, 0], distance: 3_000_000 });
  const near = start('near', { groundPosition: [0, 0], distance: 2_000_000 });
  const view = viewOf([near, far], [germany]);
  const frame = markOf(view);
  assert.ok(frame.type === 'frame');
  assert.ok(frame.right < previewWidth * 0.6, 'it lies west of the middle');
  assert.notDeepEqual(view, viewOf([far, near], [germany]));
  const camera = start('camera', { cameraPosition: [13.4, 52.5, 3_000_000] });
  assert.equal(viewOf([camera], []).worldPixels, view.worldPixels);
});

test('invalid viewpoints are ignored', () => {
  const none = viewOf([], [germany]);
  for (const viewpoint of [
    {},
    { groundPosition: 'here' },
    { groundPosition: [13] },
    { groundPosition: [Number.NaN, 0] },
    { groundPosition: [500, 500, 0] },
    { cameraPosition: null },
  ])
    assert.deepEqual(viewOf([start('a', viewpoint)], [germany]), none);
  assert.deepEqual(
    viewOf([module({ startingViewpointName: 'gone', viewpoints: [null, 1] })], [germany]),
    none,
  );
  const still = start('a', { groundPosition: [13.4, 89.9, 0], distance: Number.MIN_VALUE });
  const view = viewOf([still], []);
  assert.ok(view.top <= 0 && view.top + view.worldPixels >= previewHeight);
});
