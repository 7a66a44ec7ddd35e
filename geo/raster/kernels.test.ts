import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { placePixels } from './control-grid.ts';
import { phases, tapsOf } from './kernels.ts';
import { pickMode } from './pick-mode.ts';
import { warpRgba } from './warp-rgba.ts';

const kernels = ['bilinear', 'cubic', 'lanczos', 'average'] as const;
const anyKernel = fc.constantFrom(...kernels);
const anyScale = fc.double({ min: 0.3, max: 8, noNaN: true });

test('weights add up to 1, and are those of the other side mirrored', () => {
  fc.assert(
    fc.property(anyKernel, anyScale, fc.nat(phases), (kernel, scale, phase) => {
      const { count, weights } = tapsOf(kernel, scale);
      const line = weights.subarray(phase * count, (phase + 1) * count);
      const mirrored = weights.subarray((phases - phase) * count, (phases - phase + 1) * count).toReversed();
      assert.ok(Math.abs(line.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9);
      for (let i = 0; i < count; i++) assert.ok(Math.abs(line[i]! - mirrored[i]!) < 1e-9);
    }),
  );
});

/** An image that is warped by a shift and a scale. */
function warp(
  pixelAt: (x: number, y: number) => readonly number[],
  { kernel, scale, shift }: { kernel?: (typeof kernels)[number]; scale: number; shift: number },
): Uint8Array {
  const side = 32;
  const rgba = new Uint8Array(side * side * 4);
  for (let i = 0; i < side * side; i++) rgba.set(pixelAt(i % side, Math.floor(i / side)), i * 4);
  const target = new Uint8Array(16 * 16 * 4);
  const places = placePixels(16, (at) => {
    for (let i = 0; i < at.length; i++) at[i] = at[i]! * scale + shift;
  });
  const taps = kernel && tapsOf(kernel, scale);
  const window = { rgba, column: 0, row: 0, width: side, height: side };
  warpRgba({ rgba: target, stride: 16, left: 0, top: 0 }, places, {
    width: side,
    height: side,
    isNearest: false,
    kernel: taps && { across: taps, down: taps },
    window,
  });
  return target;
}

const anyWarp = fc.record({
  kernel: anyKernel,
  scale: fc.double({ min: 0.4, max: 1.9, noNaN: true }),
  shift: fc.double({ min: 0, max: 1, noNaN: true }),
});

test('one colour stays what it is, at every edge and beside hidden pixels, whatever those contain', () => {
  const anyMask = fc.array(fc.boolean(), { minLength: 64, maxLength: 64 });
  fc.assert(
    fc.property(anyWarp, anyMask, (how, hidden) => {
      const target = warp(
        (x, y) => (hidden[(y >> 2) * 8 + (x >> 2)] ? [0, 0, 0, 0] : [200, 30, 90, 255]),
        how,
      );
      for (let i = 0; i < target.length; i += 4)
        if (target[i + 3]! > 0) assert.deepEqual([...target.subarray(i, i + 3)], [200, 30, 90]);
    }),
  );
});

test('on the same grid, every pixel is one of the image, and what is hidden there stays empty', () => {
  const anyAlpha = fc.array(fc.constantFrom(0, 1, 128, 255), { minLength: 64, maxLength: 64 });
  fc.assert(
    fc.property(anyAlpha, fc.integer({ min: 1, max: 14 }), (alphas, shift) => {
      const pixelAt = (x: number, y: number) => [x * 7, y * 7, 90, alphas[(y >> 2) * 8 + (x >> 2)]!];
      const target = warp(pixelAt, { scale: 1, shift });
      for (let i = 0; i < target.length; i += 4) {
        const pixel = pixelAt(((i / 4) % 16) + shift, (i >> 6) + shift);
        assert.deepEqual([...target.subarray(i, i + 4)], pixel[3] === 0 ? [0, 0, 0, 0] : pixel);
      }
    }),
  );
});

test('a slope keeps its heights away from the edges: no kernel shifts the image', () => {
  fc.assert(
    fc.property(anyWarp, (how) => {
      const target = warp((x) => [x * 8, 0, 0, 255], how);
      for (let x = 0; x < 16; x++) {
        const at = (x + 0.5) * how.scale + how.shift - 0.5;
        if (at < 7 || at > 24) continue;
        const off = Math.abs(target[(8 * 16 + x) * 4]! - at * 8);
        // a box steps from pixel to pixel where it is narrower than one
        const tolerance = how.kernel === 'average' ? 8 * Math.max(0.25, (1 - how.scale) / 2 + 0.1) + 1 : 1.1;
        assert.ok(off <= tolerance, `${how.kernel} ${how.scale} ${how.shift}: ${off} at ${x}`);
      }
    }),
  );
});

test('the fast way of bilinear is right to three levels of 256, and keeps any one colour', () => {
  const anyPlace = fc.record({
    scale: fc.double({ min: 0.4, max: 1.5, noNaN: true }),
    shift: fc.double({ min: 1, max: 2, noNaN: true }),
  });
  const anyColours = fc.uint8Array({ minLength: 32 * 32 * 3, maxLength: 32 * 32 * 3 });
  fc.assert(
    fc.property(anyPlace, anyColours, ({ scale, shift }, colours) => {
      const at = (x: number, y: number): readonly number[] => {
        const first = (y * 32 + x) * 3;
        return [...colours.subarray(first, first + 3), 255];
      };
      const one = at(0, 0);
      const flat = warp(() => one, { scale, shift });
      for (let i = 0; i < flat.length; i += 4) assert.deepEqual([...flat.subarray(i, i + 4)], one);
      const target = warp(at, { scale, shift });
      for (let pixel = 0; pixel < 256; pixel++) {
        const [x, y] = [pixel % 16, pixel >> 4].map((own) => (own + 0.5) * scale + shift - 0.5) as [
          number,
          number,
        ];
        const [left, top] = [Math.floor(x), Math.floor(y)];
        const mix = (a: number, b: number, share: number): number => a + (b - a) * share;
        const rowAt = (row: number, band: number): number =>
          mix(at(left, row)[band]!, at(left + 1, row)[band]!, x - left);
        for (let band = 0; band < 4; band++) {
          const exact = mix(rowAt(top, band), rowAt(top + 1, band), y - top);
          assert.ok(
            Math.abs(target[pixel * 4 + band]! - exact) <= 3,
            `${target[pixel * 4 + band]} for ${exact}`,
          );
        }
      }
    }),
  );
});

test('mode takes the colour that most of a pixel has, and none that is in no pixel', () => {
  const side = 8;
  const words = Int32Array.from({ length: side * side }, (_, i) => (i % side < 3 ? -1 : -2));
  const taps = tapsOf('average', 4);
  const kernel = { across: taps, down: taps, isMode: true };
  const pick = (x: number): number =>
    pickMode({ pixels: words, width: side, height: side }, kernel, { x, y: 3.5, nearest: -1 });
  assert.deepEqual([pick(1.5), pick(2.4), pick(2.6)], [-1, -1, -2]);
});
