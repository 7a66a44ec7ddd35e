import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createDirectory, decodeDirectory, encodeDirectory, type Directory } from './directory.ts';
import { ArchiveError, decodeHeader, encodeHeader } from './header.ts';
import { gzip, type Tile, writeTiles, ascending, openOurs } from './testing.ts';

test('damaged archives are refused with an ArchiveError and never hang', async () => {
  const file = writeTiles(
    ascending(
      Array.from({ length: 400 }, (_, i): Tile => [9, i % 20, (i / 20) | 0, new Uint8Array([i, i >> 8])]),
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: 1200 }),
      fc.nat({ max: 255 }),
      fc.nat({ max: 20_000 }),
      async (at, value, cut) => {
        const damaged = file.slice(0, Math.max(cut, 200));
        if (at < damaged.length) damaged[at] = value;
        try {
          const archive = await openOurs(damaged).archive;
          await archive.findTile(9, 3, 3);
          await archive.metadata();
        } catch (error) {
          assert.ok(error instanceof ArchiveError, String(error));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a directory that claims more entries than it has bytes is refused before memory is allocated', () => {
  const claim = new Uint8Array([0xff, 0xff, 0xff, 0xff, 0x7f, 0]);
  assert.throws(() => decodeDirectory(claim), ArchiveError);
  const empty = decodeDirectory(encodeDirectory(createDirectory(0)));
  assert.equal(empty.count, 0);
});

/** An archive with this root directory, whose header claims this many bytes of tile data. */
const claiming = (root: Directory, dataLength: number): Uint8Array => {
  const header = decodeHeader(writeTiles([[0, 0, 0, new Uint8Array([1])]]));
  const packed = gzip(encodeDirectory(root));
  const file = new Uint8Array(127 + packed.length);
  file.set(encodeHeader({ ...header, rootLength: packed.length, dataLength }));
  file.set(packed, 127);
  return file;
};

const oneTile = (offset: number, length: number): Directory => {
  const root = createDirectory(1);
  root.runLengths[0] = 1;
  [root.offsets[0], root.lengths[0]] = [offset, length];
  return root;
};

test('a few bytes that decompress to millions of entries are refused before memory is allocated', async () => {
  const root = createDirectory(1_100_000);
  root.tileIds.forEach((_, i) => (root.tileIds[i] = i));
  const file = claiming(root, 0);
  assert.ok(file.length < 64 * 1024);
  await assert.rejects(openOurs(file).archive, ArchiveError);
});

test('a tile that is too long or outside the tile data is refused and not read', async () => {
  for (const [offset, length, dataLength] of [
    [0, 2 ** 32 - 1, 2 ** 40],
    [90, 11, 100],
  ] as const) {
    const archive = await openOurs(claiming(oneTile(offset, length), dataLength)).archive;
    await assert.rejects(archive.findTile(0, 0, 0), ArchiveError);
    await assert.rejects(archive.runs(0).next(), ArchiveError);
  }
  const archive = await openOurs(claiming(oneTile(90, 10), 100)).archive;
  assert.ok(await archive.findTile(0, 0, 0));
});
