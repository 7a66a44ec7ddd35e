import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOf, ringOf, roundBounds, toView, unionOf, withSurroundings, wrapLongitude } from './bounds.ts';

test('boxes are joined, also across the antimeridian', () => {
  assert.deepEqual(unionOf([[1, 2, 3, 4], undefined, [-1, 3, 2, 9]]), [-1, 2, 3, 9]);
  assert.deepEqual(unionOf([[170, -20, -170, -10]]), [170, -20, 190, -10]);
  assert.equal(unionOf([undefined, [1, 2, 3]]), undefined);
});

test('a map extends east across the antimeridian, and shows an area around a point', () => {
  const [[west], [east]] = toView([170, -20, -170, -10]);
  assert.ok(west < 170 && east > 190);
  const [[w, s], [e, n]] = toView([9, 48, 9, 48]);
  assert.ok(w < 9 && e > 9 && s < 48 && n > 48);
  assert.equal(toView([-180, -90, 180, 90])[1][1], 85);
});

test('the ring of a box is closed and follows the parallels', () => {
  const ring = ringOf([-20, 0, 25, 10]);
  assert.deepEqual(ring[0], ring.at(-1));
  assert.ok(ring.length > 9);
});

test('invalid boxes are distinguished by their fault', () => {
  assert.equal(faultOf([1, 2, 3]), 'missing');
  assert.equal(faultOf([1, undefined, 3, 4]), 'missing');
  assert.equal(faultOf([1, 2, 300, 4]), 'range');
  assert.equal(faultOf([1, 5, 3, 4]), 'order');
  assert.equal(faultOf([170, -20, -170, -10]), undefined);
});

test('boxes have as many digits as they need', () => {
  assert.deepEqual(roundBounds([-10.123456789, 40.98765, 25.5, 60.1]), [-10.12, 40.99, 25.5, 60.1]);
  assert.deepEqual(roundBounds([9.1234567, 48.1234567, 9.1236, 48.2]), [9.1234567, 48.1234567, 9.1236, 48.2]);
  assert.equal(wrapLongitude(190), -170);
  assert.equal(wrapLongitude(180), 180);
});

test('surroundings of small boxes are added, and large boxes stay as they are', () => {
  assert.deepEqual(withSurroundings([11, 48, 11, 48], 0.25), [10.75, 47.75, 11.25, 48.25]);
  assert.deepEqual(withSurroundings([5, 47, 15, 55], 0.25), [5, 47, 15, 55]);
  assert.deepEqual(withSurroundings([179.9, 0, -179.9, 0], 0.25), [179.75, -0.25, -179.75, 0.25]);
});
