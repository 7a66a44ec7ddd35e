import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import { compression, decodeHeader, tileType } from '@platen/geo/pmtiles/header';
import type { ArchiveInfo } from '@platen/geo/pmtiles/writer';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { copyArchive } from './copy-archive.ts';
import { afterFile } from '../../checks/clean-up.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-copy-archive-'));
afterFile(() => rm(root, { recursive: true }));
const path = join(root, 'tiles.pmtiles');

/** Number and lengths chosen so that the archive has leaf directories and runs of equal tiles. */
const tiles = Array.from({ length: 4 ** 8 }, (_, i) => {
  const [x, y] = [i % 256, Math.floor(i / 256)];
  const text = x < 64 ? 'ocean' : `land ${'x'.repeat((i * 7919) % 400)} ${i}`;
  return { z: 8, x, y, tileId: tileIdOf(8, x, y), bytes: Buffer.from(text) };
}).toSorted((a, b) => a.tileId - b.tileId);
const info: ArchiveInfo = {
  tileType: tileType.mvt,
  tileCompression: compression.gzip,
  metadata: {},
  minZoom: 8,
  maxZoom: 8,
  bounds: [-180, -85, 180, 85],
  center: [0, 0, 8],
};
await writeFile(path, buildArchiveInMemory(tiles, info, gzipSync));

const { signal } = new AbortController();

test('every tile of an archive is handed on, with its place', async () => {
  assert.ok(decodeHeader(await readFile(path)).leavesLength > 0);
  const copied: string[] = [];
  let progress: number[] = [];
  const sink = {
    addTile: (z: number, x: number, y: number, packed: Uint8Array) =>
      void copied.push(`${z}/${x}/${y} ${Buffer.from(packed).toString()}`),
  };
  await copyArchive(path, sink, { signal, onProgress: (...values) => void (progress = values) });
  assert.deepEqual(
    copied,
    tiles.map(({ z, x, y, bytes }) => `${z}/${x}/${y} ${bytes.toString()}`),
  );
  assert.deepEqual(progress, [4 ** 8, 4 ** 8]);
});

test('copying ends soon after an abort', async () => {
  const abort = new AbortController();
  let copied = 0;
  const sink = {
    addTile() {
      if (++copied === 100) abort.abort(new Error('enough'));
    },
  };
  await assert.rejects(copyArchive(path, sink, { signal: abort.signal }), /enough/);
  assert.ok(copied <= 1000, `${copied} tiles`);
});

test('an archive whose tiles are packed in another way is refused', async () => {
  const sink = { addTile: () => assert.fail('a tile was handed on') };
  const copy = copyArchive(path, sink, { signal, tileCompression: compression.none });
  await assert.rejects(copy, /not packed as expected/);
});
