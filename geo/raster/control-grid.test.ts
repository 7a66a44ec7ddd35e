import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placePixels, type Transform } from './control-grid.ts';

/** How far places of pixels are at most from those of the exact transform, in pixels. */
function largestError(side: number, transform: Transform): number {
  const { step, count, places } = placePixels(side, transform);
  let largest = 0;
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const exact = Float64Array.of(x + 0.5, y + 0.5);
      transform(exact);
      const [column, row] = [Math.floor(x / step), Math.floor(y / step)];
      const [right, down] = [x / step - column, y / step - row];
      for (const axis of [0, 1]) {
        const at = (i: number, j: number): number =>
          places[((row + Math.min(j, count - 1 - row)) * count + column + i) * 2 + axis]!;
        const upper = at(0, 0) * (1 - right) + at(1, 0) * right;
        const lower = at(0, 1) * (1 - right) + at(1, 1) * right;
        largest = Math.max(largest, Math.abs(upper * (1 - down) + lower * down - exact[axis]!));
      }
    }
  return largest;
}

/** Columns and rows as complex numbers: z + factor · zᵖ. */
const bend =
  (power: number, factor: number): Transform =>
  (places) => {
    for (let i = 0; i < places.length; i += 2) {
      const [x, y] = [places[i]!, places[i + 1]!];
      const [size, angle] = [Math.hypot(x, y) ** power, Math.atan2(y, x) * power];
      places[i] = x + factor * size * Math.cos(angle);
      places[i + 1] = y + factor * size * Math.sin(angle);
    }
  };

/** Of these, the middle of four places is always right: the bend along rows is the opposite of that along columns. */
test('places are within an eighth of a pixel where transforms keep angles', () => {
  for (const power of [2, 3])
    for (const factor of [0.00001, 0.0001, 0.0003, 0.001]) {
      const error = largestError(256, bend(power, factor / 100 ** (power - 2)));
      assert.ok(error <= 0.125, `z + ${factor} z^${power}: ${error} pixels`);
    }
});

test('places are within an eighth of a pixel where transforms bend along one axis, or both', () => {
  for (const [across, down] of [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -0.5],
  ] as const)
    for (const factor of [0.00002, 0.0001, 0.0005]) {
      const error = largestError(256, (places) => {
        for (let i = 0; i < places.length; i += 2)
          places[i] = places[i]! + factor * (across * places[i]! ** 2 + down * places[i + 1]! ** 2);
      });
      assert.ok(error <= 0.125, `${across}, ${down}, ${factor}: ${error} pixels`);
    }
});
