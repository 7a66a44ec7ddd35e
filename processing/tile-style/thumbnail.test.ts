import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createByteWriter,
  writeBytes,
  writeVarint,
  writeZigzag,
  type ByteWriter,
} from '@platen/geo/mvt/byte-writer';
import { createCanvas } from './canvas.ts';
import { drawThumbnail } from './draw-thumbnail.ts';
import { createFill } from './fill-rings.ts';
import { strokeDisc, strokePath } from './stroke.ts';
import { pixelsOf } from './testing.ts';
import { viewOf } from './thumbnail-view.ts';

const white = [255, 255, 255] as const;
const all = { left: 0, top: 0, right: 20, bottom: 10 };
const whole = { scale: 1, left: 0, top: 0 };

function pathOf(...parts: (readonly (readonly [number, number])[])[]) {
  const partEnds = parts.map((_, i) => parts.slice(0, i + 1).flat().length);
  return { coordinates: Int32Array.from(parts.flat(2)), partEnds };
}

const sumOf = (mask: Float32Array) => mask.reduce((total, value) => total + value, 0);
const isNear = (a: number, b: number, by = 1e-4) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);

test('a filled ring covers its area, and a hole none of it', () => {
  const canvas = createCanvas(20, 10, white);
  const outer = [
    [2, 1],
    [18, 1],
    [18, 9],
    [2, 9],
  ] as const;
  const hole = [
    [4, 3],
    [4, 5],
    [9, 5],
    [9, 3],
  ] as const;
  createFill(canvas)(pathOf(outer, hole), whole, all);
  isNear(sumOf(canvas.mask), 16 * 8 - 10);
  assert.equal(canvas.mask[4 * 20 + 6], 0);
  assert.equal(canvas.mask[7 * 20 + 6], 1);
});

test('the halves of a polygon that was cut into tiles cover it without a gap', () => {
  const canvas = createCanvas(20, 10, white);
  const fill = createFill(canvas);
  const ring = pathOf([
    [1, 1],
    [19, 3],
    [10, 9],
  ]);
  fill(ring, whole, { ...all, right: 7.3 });
  fill(ring, whole, { ...all, left: 7.3, bottom: 4.6 });
  fill(ring, whole, { ...all, left: 7.3, top: 4.6 });
  const once = createCanvas(20, 10, white);
  createFill(once)(ring, whole, all);
  for (const [pixel, value] of once.mask.entries()) isNear(canvas.mask[pixel]!, value);
});

test('a ring far beyond the picture neither fails nor fills it', () => {
  const canvas = createCanvas(20, 10, white);
  const far = 2 ** 30;
  createFill(canvas)(
    pathOf([
      [far, far],
      [far + 5, far],
      [far, far + 5],
    ]),
    whole,
    all,
  );
  assert.equal(sumOf(canvas.mask), 0);
});

test('lines are as wide as they should be, and cut edges of rings are left out', () => {
  const stroke = { ...whole, width: 2, clip: all, isRing: false, extent: 10 };
  for (const end of [
    [18, 5],
    [18, 9],
    [5, 9],
  ] as const) {
    const canvas = createCanvas(20, 10, white);
    strokePath(canvas, pathOf([[2, 2], end]), stroke);
    const length = Math.hypot(end[0] - 2, end[1] - 2);
    isNear(sumOf(canvas.mask), 2 * length, length * 0.1 + 4);
  }
  const canvas = createCanvas(20, 10, white);
  const tile = pathOf([
    [-1, -1],
    [11, -1],
    [11, 11],
    [-1, 11],
  ]);
  strokePath(canvas, tile, { ...stroke, isRing: true });
  assert.equal(sumOf(canvas.mask), 0);
});

test('a line that lies beyond all numbers of pixels comes to an end', () => {
  for (const far of [2 ** 53, 1e300, Infinity, NaN]) {
    const canvas = createCanvas(20, 10, white);
    const stroke = { ...whole, top: -far, width: 2, clip: all, isRing: false, extent: 10 };
    strokePath(
      canvas,
      pathOf([
        [2, 2],
        [18, 3],
      ]),
      stroke,
    );
    assert.equal(sumOf(canvas.mask), 0);
  }
});

test('a disc has the area of a circle', () => {
  const canvas = createCanvas(20, 10, white);
  strokeDisc(canvas, 10, 5, 3);
  isNear(sumOf(canvas.mask), Math.PI * 9, 1);
});

test('the view has few tiles, shows all of them in the picture, and never leaves the zooms', () => {
  const cases = [
    { minZoom: 0, maxZoom: 14, bounds: [-180, -85.06, 180, 85.06] },
    { minZoom: 12, maxZoom: 14, bounds: [5, 47, 15, 55] },
    { minZoom: 0, maxZoom: 14, bounds: [13.4, 52.5, 13.4, 52.5] },
    { minZoom: 3, maxZoom: 3, bounds: [170, -20, -170, -10] },
    { minZoom: 0, maxZoom: 18, bounds: [9.4, 46.7, 9.6, 47.5] },
  ] as const;
  for (const tileset of cases) {
    const { zoom, tilePixels, tiles } = viewOf(tileset);
    assert.ok(zoom >= tileset.minZoom && zoom <= tileset.maxZoom);
    assert.ok(tiles.length >= 1 && tiles.length <= 13 * 9, `${tiles.length} tiles`);
    for (const { x, left, top } of tiles) {
      assert.ok(x >= 0 && x < 2 ** zoom);
      assert.ok(left < 600 && left + tilePixels > 0 && top < 400 && top + tilePixels > 0);
    }
  }
});

function layerOf(name: string, type: number, write: (commands: ByteWriter) => void): Uint8Array {
  const message = (writeIt: (out: ByteWriter) => void): ByteWriter => {
    const out = createByteWriter(64);
    writeIt(out);
    return out;
  };
  const field = (out: ByteWriter, key: number, content: ByteWriter): void => {
    writeVarint(out, (key << 3) | 2);
    writeVarint(out, content.length);
    writeBytes(out, content.bytes, 0, content.length);
  };
  const text = new TextEncoder().encode(name);
  const feature = message((out) => {
    writeVarint(out, 0x18);
    writeVarint(out, type);
    field(out, 4, message(write));
  });
  const tile = message((out) =>
    field(
      out,
      3,
      message((layer) => {
        field(layer, 1, { bytes: text, length: text.length });
        field(layer, 2, feature);
      }),
    ),
  );
  return tile.bytes.slice(0, tile.length);
}

test('a thumbnail shows a polygon where it lies, on a pale ground', async () => {
  const square = layerOf('lakes', 3, (out) => {
    writeVarint(out, 1 | (1 << 3));
    for (const value of [1024, 1024]) writeZigzag(out, value);
    writeVarint(out, 2 | (3 << 3));
    for (const value of [2048, 0, 0, 2048, -2048, 0]) writeZigzag(out, value);
    writeVarint(out, 7 | (1 << 3));
  });
  const tileset = { minZoom: 0, maxZoom: 0, bounds: [-180, -85.0511, 180, 85.0511] } as const;
  const pixelAt = pixelsOf(await drawThumbnail({ layers: ['lakes'], ...tileset }, async () => square));
  const [red, , blue] = pixelAt(300, 200);
  assert.ok(blue! > red! + 30, 'lakes are blue');
  assert.deepEqual(pixelAt(140, 200), [243, 245, 247]);
  assert.deepEqual(pixelAt(5, 5), [243, 245, 247]);
});

test('a tileset without a tile gives an empty picture', async () => {
  const tileset = { minZoom: 0, maxZoom: 3, bounds: [0, 0, 0, 0] } as const;
  const pixelAt = pixelsOf(await drawThumbnail({ layers: [], ...tileset }, async () => undefined));
  assert.deepEqual(pixelAt(300, 200), [243, 245, 247]);
});
