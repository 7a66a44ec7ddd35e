import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createTilePacker, gzip } from './pack-tile.ts';

test('tiles of every size around the limit of stored ones unpack to what they were', () => {
  for (const size of [0, 1, 127, 128, 129, 255, 256, 4096]) {
    const tile = Uint8Array.from({ length: size }, (_, i) => (i * 7) % 251);
    assert.deepEqual(new Uint8Array(gunzipSync(gzip(tile))), tile, `${size} bytes`);
  }
});

test('a small tile takes 23 bytes more than its content, a larger repetitive one less than it', () => {
  assert.equal(gzip(new Uint8Array(100)).length, 123);
  assert.ok(gzip(new Uint8Array(1000)).length < 100);
});

test('equal tiles share one packed tile, different ones have different hashes', () => {
  const pack = createTilePacker(1e6);
  const first = pack(Uint8Array.of(1, 2, 3));
  assert.equal(pack(Uint8Array.of(1, 2, 3)), first);
  const other = pack(Uint8Array.of(1, 2, 4));
  assert.notDeepEqual([other.hashA, other.hashB], [first.hashA, first.hashB]);
});
