import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { worldSize } from '../tile/world-grid.ts';
import { labelTilePixels, labelZooms, noLabelZoom, type LabelBoxes } from './label-zooms.ts';

const zooms = { minZoom: 0, maxZoom: 6 };

/** Positions that are close to each other, or on both sides of the antimeridian, as often as anywhere. */
const someLabels = fc.array(
  fc.record({
    x: fc.oneof(
      fc.nat(worldSize - 1),
      fc.nat(worldSize >> 8),
      fc.nat(worldSize >> 8).map((x) => worldSize - 1 - x),
    ),
    y: fc.oneof(fc.nat(worldSize - 1), fc.nat(worldSize >> 8)),
    width: fc.integer({ min: 1, max: 400 }),
    height: fc.integer({ min: 1, max: 40 }),
    firstZoom: fc.constantFrom(0, 0, 3),
  }),
  { maxLength: 60 },
);
type Label = { x: number; y: number; width: number; height?: number; firstZoom: number };

const boxesOf = (labels: readonly Label[]): LabelBoxes => ({
  count: labels.length,
  x: Int32Array.from(labels, ({ x }) => x),
  y: Int32Array.from(labels, ({ y }) => y),
  width: Uint16Array.from(labels, ({ width }) => width),
  height: Uint16Array.from(labels, ({ height = 16 }) => height),
  firstZoom: Uint8Array.from(labels, ({ firstZoom }) => firstZoom),
});
const inOrder = (labels: readonly Label[]) => Int32Array.from(labels.keys());

/** Whether two boxes overlap at a zoom, in the plainest way: in any of three worlds side by side. */
function overlap(one: Label, other: Label, zoom: number): boolean {
  const worldPixels = labelTilePixels * 2 ** zoom;
  const scale = worldPixels / worldSize;
  if (Math.abs(one.y - other.y) * scale >= Math.max(one.height ?? 16, other.height ?? 16)) return false;
  return [-1, 0, 1].some((worlds) => {
    const right = (other.x - one.x) * scale + worlds * worldPixels;
    return right < one.width && right > -other.width;
  });
}

test('no two labels of a zoom overlap', () => {
  fc.assert(
    fc.property(someLabels, (labels) => {
      const found = labelZooms(boxesOf(labels), { ...zooms, order: inOrder(labels) });
      for (let zoom = 0; zoom <= zooms.maxZoom; zoom++) {
        const shown = labels.filter((_, i) => found[i]! <= zoom);
        for (const [i, one] of shown.entries())
          for (const other of shown.slice(i + 1)) assert.ok(!overlap(one, other, zoom));
      }
    }),
  );
});

test('a label is missing only where a more important one is in its place, there or at a higher zoom', () => {
  fc.assert(
    fc.property(someLabels, (labels) => {
      const found = labelZooms(boxesOf(labels), { ...zooms, order: inOrder(labels) });
      for (const [i, label] of labels.entries()) {
        if (found[i]! <= label.firstZoom) continue;
        const missing = Math.min(found[i]! - 1, zooms.maxZoom);
        const isTaken = labels
          .slice(0, i)
          .some((other, rank) => found[rank]! <= missing && overlap(label, other, missing));
        assert.ok(isTaken, `label ${i} could begin at zoom ${missing}`);
      }
    }),
  );
});

test('labels of the same place are shown by importance, whatever their order in the data', () => {
  const labels = [1, 2, 3].map(() => ({ x: 5000, y: 5000, width: 40, firstZoom: 0 }));
  const found = labelZooms(boxesOf(labels), { ...zooms, order: Int32Array.of(2, 0, 1) });
  assert.deepEqual([...found], [noLabelZoom, noLabelZoom, 0]);
});

test('labels meet across the antimeridian', () => {
  const labels = [
    { x: 10, y: 5000, width: 40, firstZoom: 0 },
    { x: worldSize - 10, y: 5000, width: 40, firstZoom: 0 },
  ];
  assert.deepEqual([...labelZooms(boxesOf(labels), { ...zooms, order: inOrder(labels) })], [0, noLabelZoom]);
});

test('more important labels do not change when less important ones are added', () => {
  fc.assert(
    fc.property(someLabels, fc.nat(60), (labels, count) => {
      const few = labels.slice(0, count);
      const all = labelZooms(boxesOf(labels), { ...zooms, order: inOrder(labels) });
      assert.deepEqual(
        [...labelZooms(boxesOf(few), { ...zooms, order: inOrder(few) })],
        [...all.subarray(0, few.length)],
      );
    }),
  );
});
