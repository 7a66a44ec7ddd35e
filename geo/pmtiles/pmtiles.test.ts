import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { PMTiles, tileIdToZxy, zxyToTileId, type Source } from 'pmtiles';
import { decodeDirectory } from './directory.ts';
import { compression, decodeHeader, encodeHeader, tileType } from './header.ts';
import { createLeafCache } from './leaf-cache.ts';
import { tileIdOf, tileOfId } from './tile-id.ts';
import { info, type Tile, writeTiles, ascending, openOurs } from './testing.ts';

const oracle = (file: Uint8Array): PMTiles => {
  const source: Source = {
    getKey: () => 'memory',
    getBytes: async (offset, length) => ({ data: file.slice(offset, offset + length).buffer }),
  };
  return new PMTiles(source);
};

const anyTile = fc
  .integer({ min: 0, max: 12 })
  .chain((z) => fc.tuple(fc.constant(z), fc.nat({ max: 2 ** z - 1 }), fc.nat({ max: 2 ** z - 1 })));

test('tile IDs are those of the reference implementation, in both directions', () => {
  const deep = fc
    .integer({ min: 0, max: 26 })
    .chain((z) => fc.tuple(fc.constant(z), fc.nat({ max: 2 ** z - 1 }), fc.nat({ max: 2 ** z - 1 })));
  fc.assert(
    fc.property(deep, ([z, x, y]) => {
      const id = tileIdOf(z, x, y);
      assert.equal(id, zxyToTileId(z, x, y));
      assert.deepEqual(tileIdToZxy(id), [z, x, y]);
      assert.deepEqual(tileOfId(id), [z, x, y]);
    }),
  );
});

test('the reference reader and ours find exactly the written tiles', async () => {
  const tiles = fc.uniqueArray(fc.tuple(anyTile, fc.uint8Array({ maxLength: 3, minLength: 1 })), {
    selector: ([[z, x, y]]) => `${z}/${x}/${y}`,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(tiles, anyTile, async (drawn, [absentZ, absentX, absentY]) => {
      const written = ascending(drawn.map(([[z, x, y], bytes]) => [z, x, y, bytes]));
      const file = writeTiles(written);
      const reference = oracle(file);
      const archive = await openOurs(file).archive;
      for (const [z, x, y, bytes] of written) {
        const theirs = await reference.getZxy(z, x, y);
        assert.deepEqual(theirs && new Uint8Array(theirs.data), bytes);
        const range = await archive.findTile(z, x, y);
        assert.ok(range);
        const packed = file.subarray(range.offset, range.offset + range.length);
        assert.deepEqual(new Uint8Array(gunzipSync(packed)), bytes);
      }
      if (!written.some(([z, x, y]) => z === absentZ && x === absentX && y === absentY)) {
        assert.equal(await archive.findTile(absentZ, absentX, absentY), undefined);
      }
    }),
    { numRuns: 60 },
  );
});

test('an archive of 25,000 different tiles gets leaf directories that both readers follow', async () => {
  const side = 200;
  const tiles: Tile[] = [];
  for (let i = 0; i < side * 125; i++) {
    const bytes = new Uint8Array(8 + (i % 7));
    new DataView(bytes.buffer).setUint32(0, Math.imul(i, 2654435761));
    // The tiles are in every second column, so that neither runs nor contiguous IDs make the directory small.
    tiles.push([12, (i % side) * 2 + 100, Math.floor(i / side) * 3, bytes]);
  }
  const written = ascending(tiles);
  const file = writeTiles(written);
  const header = decodeHeader(file);
  assert.ok(header.leavesLength > 0);
  assert.ok(header.rootOffset + header.rootLength <= 16_384);
  assert.equal(header.addressedTiles, tiles.length);
  assert.equal(
    file.length,
    16_384 + header.dataLength + header.leavesLength + header.metadataLength,
    'what go-pmtiles verify expects of a padded archive',
  );
  const reference = oracle(file);
  const { archive: opening, reads } = openOurs(file);
  const archive = await opening;
  for (let i = 0; i < written.length; i += 97) {
    const [z, x, y, bytes] = written[i]!;
    const theirs = await reference.getZxy(z, x, y);
    assert.deepEqual(theirs && new Uint8Array(theirs.data), bytes);
    const range = await archive.findTile(z, x, y);
    assert.ok(range);
    assert.deepEqual(
      new Uint8Array(gunzipSync(file.subarray(range.offset, range.offset + range.length))),
      bytes,
    );
  }
  const before = reads.length;
  await archive.findTile(...(written[97]!.slice(0, 3) as [number, number, number]));
  assert.equal(reads.length, before, 'a leaf is read once');
  assert.deepEqual(await archive.metadata(), info.metadata);
  assert.deepEqual(await reference.getMetadata(), info.metadata);
});

test('equal tiles are stored once, and neighbours on the curve share one entry', async () => {
  const same = new Uint8Array([1, 2, 3]);
  const tiles = ascending([0, 1, 2, 3].flatMap((x) => [0, 1, 2, 3].map((y): Tile => [2, x, y, same])));
  const file = writeTiles([...tiles, [3, 0, 0, new Uint8Array([9])]]);
  const header = decodeHeader(file);
  assert.deepEqual([header.addressedTiles, header.tileEntries, header.tileContents], [17, 2, 2]);
});

test('a clustered archive never points ahead of the data already listed', async () => {
  const tiles = ascending(
    Array.from({ length: 300 }, (_, i): Tile => [6, i % 20, (i / 20) | 0, new Uint8Array([i % 5, i % 3])]),
  );
  const file = writeTiles(tiles);
  const header = decodeHeader(file);
  const root = decodeDirectory(
    gunzipSync(file.subarray(header.rootOffset, header.rootOffset + header.rootLength)),
  );
  let end = 0;
  for (let i = 0; i < root.count; i++) {
    assert.ok(root.offsets[i]! <= end);
    end = Math.max(end, root.offsets[i]! + root.lengths[i]!);
  }
  assert.equal(end, header.dataLength);
  assert.equal(header.clustered, true);
});

test('the header survives a round trip, and the reference reads the same values', async () => {
  const file = writeTiles([[0, 0, 0, new Uint8Array([1])]]);
  const header = decodeHeader(file);
  assert.deepEqual(decodeHeader(encodeHeader(header)), header);
  const theirs = await oracle(file).getHeader();
  assert.deepEqual([theirs.minLon, theirs.minLat, theirs.maxLon, theirs.maxLat], [...info.bounds]);
  assert.deepEqual([theirs.centerLon, theirs.centerLat, theirs.centerZoom], [...info.center]);
  assert.equal(theirs.tileType, tileType.mvt);
  assert.equal(theirs.tileCompression, compression.gzip);
});

test('tiles out of order are refused', () => {
  const bytes = new Uint8Array([1]);
  assert.throws(
    () =>
      writeTiles([
        [1, 0, 1, bytes],
        [1, 0, 0, bytes],
      ]),
    /ascend/,
  );
});

test('archives that share a cache keep their own leaves in it, together within its limit', async () => {
  const bytes = (i: number) => new Uint8Array([i, i >> 8, i >> 16]);
  const tiles = (shift: number) =>
    ascending(
      Array.from({ length: 20_000 }, (_, i): Tile => [
        12,
        (i % 200) * 2,
        ((i / 200) | 0) * 3,
        bytes(i + shift),
      ]),
    );
  const files = [0, 1].map((shift) => writeTiles(tiles(shift)));
  assert.ok(files.every((file) => decodeHeader(file).leavesLength > 0));
  const leafEntries = 4096;
  for (const [room, expected] of [
    [2 * leafEntries, 0],
    [leafEntries, 2],
  ] as const) {
    const leaves = createLeafCache(room);
    const opened = files.map((file) => openOurs(file, leaves));
    const find = async () => {
      for (const [i, { archive }] of opened.entries()) {
        const range = await (await archive).findTile(12, 0, 0);
        const packed = files[i]!.subarray(range!.offset, range!.offset + range!.length);
        assert.deepEqual(new Uint8Array(gunzipSync(packed)), bytes(i));
      }
    };
    const reads = () => opened.reduce((sum, { reads: own }) => sum + own.length, 0);
    await find();
    const before = reads();
    await find();
    assert.equal(reads() - before, expected);
  }
});

test('all tiles are listed in the order of their IDs, from any tile on, including runs and leaves', async () => {
  const tiles = ascending(
    Array.from({ length: 4500 }, (_, i): Tile => {
      const same = i % 7 < 3 ? 0 : i;
      return [8, i % 90, (i / 90) | 0, new Uint8Array([same, same >> 8])];
    }),
  );
  const file = writeTiles([[0, 0, 0, new Uint8Array([9])], ...tiles]);
  const archive = await openOurs(file).archive;
  assert.ok(archive.header.leavesLength > 0 || archive.header.tileEntries < 5000);
  const listed = async (from: number) => {
    const found: string[] = [];
    for await (const { tileId, runLength, offset, length } of archive.runs(from)) {
      const [z, x, y] = tileOfId(tileId);
      assert.deepEqual(await archive.findTile(z, x, y), { offset, length });
      for (let id = tileId; id < tileId + runLength; id++) found.push(tileOfId(id).join('/'));
    }
    return found;
  };
  const names = ['0/0/0', ...tiles.map(([z, x, y]) => `${z}/${x}/${y}`)];
  assert.deepEqual(await listed(0), names);
  for (const at of [1, 2, 3, 777, 4000, 4500]) {
    const [z, x, y] = names[at]!.split('/').map(Number) as [number, number, number];
    assert.deepEqual(await listed(tileIdOf(z, x, y)), names.slice(at));
  }
  assert.deepEqual(await listed(tileIdOf(9, 0, 0)), []);
});
