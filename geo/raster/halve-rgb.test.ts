import assert from 'node:assert/strict';
import { test } from 'node:test';
import { halvePixels, rgbOf, type PixelSquare } from './halve-pixels.ts';
import { opacityOf, splitRgba } from './rgb-square.ts';
import { shownRgba } from './testing-squares.ts';

const side = 32;

/** Pixels of RGBA that differ, of which some are hidden and some are seen through. */
function pixelsOf(alphaOf: (x: number, y: number) => number): Uint8Array {
  const rgba = new Uint8Array(side * side * 4);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const alpha = alphaOf(x, y);
      if (alpha > 0)
        rgba.set([(x * 37 + y) & 255, (x * y * 11) & 255, (255 - x * y) & 255, alpha], (y * side + x) * 4);
    }
  return rgba;
}

const emptySquare = (): PixelSquare => ({
  samples: new Uint8Array(side * side * 3).fill(77),
  mask: new Uint8Array(side * side),
});

const colours = { isNearest: false, noData: undefined, alphaBand: undefined };
const whole = { left: 0, top: 0, side };

const alphas = {
  opaque: () => 255,
  'partly hidden': (x: number, y: number) => (((x >> 2) + y) % 7 === 0 ? 0 : 255),
  'seen through': (x: number, y: number) => (x * 9 + y * 5) & 255,
};
for (const [name, alphaOf] of Object.entries(alphas)) {
  test(`the means of ${name} colours with an alpha plane are those of RGBA`, () => {
    const rgba = pixelsOf(alphaOf);
    for (const [width, height] of [
      [32, 32],
      [31, 29],
      [17, 32],
    ] as const)
      for (const [right, down] of [
        [0, 0],
        [1, 1],
      ] as const) {
        const quarter = { side, width, height, right, down };
        const expected = { samples: new Uint8Array(side * side * 4) };
        const meaning = { ...colours, bands: 4, alphaBand: 3 };
        halvePixels(expected, { samples: rgba }, { quarter, meaning });
        const [child, parent] = [emptySquare(), emptySquare()];
        splitRgba(rgba, rgbOf(child, side), whole);
        halvePixels(parent, child, { quarter, meaning: { ...colours, bands: 3, hasAlphaPlane: true } });
        const joined = shownRgba(rgbOf(parent, side));
        assert.deepEqual(joined, expected.samples, `${width} × ${height} at ${right}, ${down}`);
      }
  });
}

test('a part is opaque, hidden or mixed', () => {
  const square = rgbOf(emptySquare(), side);
  const part = { left: 8, top: 16, side: 8 };
  assert.equal(opacityOf(square, part), 'hidden');
  for (let y = 16; y < 24; y++) square.alpha.fill(255, y * side + 8, y * side + 16);
  assert.equal(opacityOf(square, part), 'opaque');
  assert.equal(opacityOf(square, { ...part, left: 16 }), 'hidden');
  square.alpha[23 * side + 15] = 254;
  assert.equal(opacityOf(square, part), 'mixed');
});
