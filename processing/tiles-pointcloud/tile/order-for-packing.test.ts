import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordColumns } from '../record-columns.ts';
import { orderForPacking } from './order-for-packing.ts';

const columns: RecordColumns = {
  count: 5,
  marks: 3,
  colour: 4,
  time: undefined,
  keepsTime: false,
  source: undefined,
  angle: undefined,
  distance: undefined,
  extras: [],
};
const none = new Uint32Array(6);
const marks = Uint32Array.of(7, 5, 0x2_0005, 9, 1, 5);
// the user data above the colour do not count
const colours = Uint32Array.of(0x03_00_00, 0x02_00_00, 0xff01_0000, 0x02_00_00, 0x01_ff_ff, 0);
const cloud = { columns: [none, none, none, marks, colours], count: 6 };

test('points are sorted by colours, or by intensities where they have none, and equal ones stay as they are', () => {
  const numbers = Uint32Array.of(0, 1, 2, 3, 4);
  assert.deepEqual([...orderForPacking(cloud, numbers, { columns, hasColours: true })], [2, 4, 1, 3, 0]);
  assert.deepEqual([...orderForPacking(cloud, numbers, { columns, hasColours: false })], [4, 1, 2, 0, 3]);
  assert.deepEqual([...numbers], [0, 1, 2, 3, 4]);
});
