import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { BytesError } from '../bytes/bytes.ts';
import { countedBytes } from '../geotiff/testing.ts';
import { decodeCopcInfo, readRootNodes } from './copc.ts';
import { decodeChunk } from './decode/decode-chunk.ts';
import { readLasCrs } from './las-crs.ts';
import { decodeLazSettings, readChunks } from './laz-chunks.ts';
import { fieldsOf } from './point-format.ts';
import { listRecords, readLasHeader, readRecord } from './read-header.ts';
import { keysRecord, wktRecord, writeLas, type WrittenLas } from './testing.ts';

const points = Array.from({ length: 50 }, (_, i) => ({
  x: 500_000 + i,
  y: 5_400_000 + i * 2,
  z: 100 + i / 10,
}));

for (const minor of [0, 1, 2, 3, 4] as const) {
  test(`reads the header of LAS 1.${minor}`, async () => {
    const header = await readLasHeader(countedBytes(writeLas({ minor, points })));
    assert.equal(header.version, `1.${minor}`);
    assert.equal(header.pointCount, 50);
    assert.deepEqual(
      [header.min, header.max],
      [
        [500_000, 5_400_000, 100],
        [500_049, 5_400_098, 104.9],
      ],
    );
  });
}

const crsOf = async (written: Omit<WrittenLas, 'points'>) => {
  const bytes = countedBytes(writeLas({ ...written, points }));
  const header = await readLasHeader(bytes);
  const { records } = await listRecords(bytes, header);
  return readLasCrs(bytes, header, records);
};

test('names the CRS by keys or WKT, as the header says', async () => {
  const keys = keysRecord([
    [1024, 0, 1, 1],
    [3072, 0, 1, 25832],
    [4096, 0, 1, 5783],
  ]);
  const wkt = wktRecord('PROJCS["x"]');
  const byKeys = await crsOf({ records: [keys, wkt] });
  assert.deepEqual([byKeys.text, byKeys.vertical?.name], ['EPSG:25832', 'DHHN92 height']);
  assert.equal((await crsOf({ minor: 4, records: [keys, wkt], isWkt: true })).text, 'PROJCS["x"]');
  assert.equal((await crsOf({ records: [wkt] })).text, 'PROJCS["x"]');
  assert.equal((await crsOf({})).text, undefined);
});

test('knows what points of each format have', () => {
  assert.equal(
    fieldsOf(0).some(({ name }) => name === 'GpsTime'),
    false,
  );
  assert.deepEqual(
    fieldsOf(3)
      .slice(-3)
      .map(({ name }) => name),
    ['Red', 'Green', 'Blue'],
  );
  assert.equal(fieldsOf(8).at(-1)!.name, 'Infrared');
});

test('refuses inconsistent files with a reason', async () => {
  const whole = writeLas({ points });
  const patched = (at: number, value: number) => {
    const copy = Buffer.from(whole);
    copy.writeUInt8(value, at);
    return readLasHeader(countedBytes(copy));
  };
  await assert.rejects(patched(25, 7), /LAS 1\.7, does not exist/);
  await assert.rejects(patched(104, 11), /point format 11 does not exist/);
  await assert.rejects(patched(105, 5), /too short for point format 0/);
  await assert.rejects(readLasHeader(countedBytes(whole.subarray(0, 100))), /cut off/);
  const records = Buffer.from(whole);
  records.writeUInt32LE(2 ** 32 - 1, 100);
  const bytes = countedBytes(records);
  assert.match((await listRecords(bytes, await readLasHeader(bytes))).fault!, /beyond the end|too many/);
});

const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../../shared/data');
const sample = (name: string) => join(samples, 'points', name);
const skip = existsSync(sample('lone-star.laz')) ? false : `SKIPPED: ${samples} is not there`;

async function openSample(name: string) {
  const bytes = countedBytes(await readFile(sample(name)));
  const header = await readLasHeader(bytes);
  const { records } = await listRecords(bytes, header);
  const content = (id: number) =>
    readRecord(
      bytes,
      records.find((one) => one.id === id)!,
    );
  return { bytes, header, settings: decodeLazSettings(await content(22_204)), content };
}

for (const name of ['lone-star.laz', 'lone-star.copc.laz']) {
  test(`the chunks of ${name} contain all its points, and these are in its box`, { skip }, async () => {
    const { bytes, header, settings } = await openSample(name);
    const chunks = await readChunks(bytes, header, settings);
    assert.equal(
      chunks.reduce((sum, chunk) => sum + chunk.points, 0),
      518_862,
    );
    const { offset, length } = chunks.at(-1)!;
    const records = decodeChunk(await bytes.read(offset, length), header, 100);
    const view = new DataView(records.buffer);
    for (let i = 0; i < 100; i++) {
      for (const axis of [0, 1, 2] as const) {
        const value =
          view.getInt32(i * header.recordLength + axis * 4, true) * header.scale[axis] + header.offset[axis];
        assert.ok(value >= header.min[axis] - 1e-6 && value <= header.max[axis] + 1e-6);
      }
    }
  });
}

test('reads the first nodes of a COPC, the thinnest first', { skip }, async () => {
  const { bytes, header, content } = await openSample('lone-star.copc.laz');
  const nodes = await readRootNodes(bytes, decodeCopcInfo(await content(1)));
  assert.equal(nodes[0]!.level, 0);
  assert.equal(
    nodes.reduce((sum, node) => sum + node.points, 0),
    header.pointCount,
  );
});

test('says that the table of chunks is missing where writing was broken off', { skip }, async () => {
  const { header, settings } = await openSample('lone-star.laz');
  const half = (await readFile(sample('lone-star.laz'))).subarray(0, 1_000_000);
  await assert.rejects(readChunks(countedBytes(half), header, settings), BytesError);
});

test(
  'a damaged chunk is an error, and the next one is read as though nothing had been',
  { skip },
  async () => {
    const { bytes, header, settings } = await openSample('lone-star.laz');
    const [chunk] = await readChunks(bytes, header, settings);
    const packed = await bytes.read(chunk!.offset, chunk!.length);
    assert.throws(() => decodeChunk(packed.subarray(0, 5000), header, chunk!.points), BytesError);
    assert.equal(decodeChunk(packed, header, 10).length, 280);
  },
);
