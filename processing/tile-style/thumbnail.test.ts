import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createByteWriter,
  writeBytes,
  writeVarint,
  writeZigzag,
  type ByteWriter,
} from '@platen/geo/mvt/byte-writer';
import { drawThumbnail } from './draw-thumbnail.ts';
import { pixelsOf } from './testing.ts';
import { viewOf } from './thumbnail-view.ts';

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

test('a thumbnail shows a polygon at its position, on a pale ground', async () => {
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
