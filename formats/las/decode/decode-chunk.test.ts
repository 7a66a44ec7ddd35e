import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { BytesError } from '../../bytes/bytes.ts';
import { countedBytes } from '../../geotiff/testing.ts';
import { decodeLazSettings, readChunks } from '../laz-chunks.ts';
import { baseLengthOf } from '../point-format.ts';
import { listRecords, readLasHeader, readRecord } from '../read-header.ts';
import { openLazPerf } from '../testing-laz-perf.ts';
import { decodeChunk } from './decode-chunk.ts';

const lazPerf = await openLazPerf();

/** Bytes that look like random ones; bytes below the limit make codes of little differences likelier. */
function noise(length: number, seed: number, limit: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed | 1;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9) | 0;
    bytes[i] = (state >>> 24) % limit;
  }
  return bytes;
}

/** Decoding a point of noise takes less than this. */
const bytesPerPoint = 150;

interface Noise {
  readonly pointFormat: number;
  readonly extraBytes: number;
  readonly points: number;
  readonly seed: number;
  readonly limit: number;
  readonly isStill?: boolean;
}

/** A chunk of noise: as every sequence of bytes decodes to something, it reaches every model and context. */
function chunkOf({ pointFormat, extraBytes, points, seed, limit, isStill = false }: Noise) {
  const recordLength = baseLengthOf(pointFormat)! + extraBytes;
  const first = noise(recordLength, seed + 1, 256);
  const length = points * bytesPerPoint;
  if (pointFormat < 6) {
    const rest = noise(length, seed, limit);
    return { packed: Buffer.concat([first, rest]), recordLength };
  }
  const layers = 9 + (pointFormat >= 7 ? 1 : 0) + (pointFormat === 8 ? 1 : 0) + extraBytes;
  const head = Buffer.alloc(4 + layers * 4);
  head.writeUInt32LE(points);
  const parts = Array.from({ length: layers }, (_, i) => {
    // a layer that does not change is empty, unless the first layer says that it changes
    const isEmpty = (i > 9 || [2, 3, 4, 6, 9].includes(i)) && (seed >> i) % 5 === 0;
    const part = noise(isEmpty ? 0 : length, seed + i * 7, limit);
    // zeros change nothing: neither the place nor the scanner channel
    if (i === 0 && isStill) part.fill(0);
    head.writeUInt32LE(part.length, 4 + i * 4);
    return part;
  });
  return { packed: Buffer.concat([first, head, ...parts]), recordLength };
}

interface PointShape {
  readonly pointFormat: number;
  readonly recordLength: number;
}

const noises = {
  extraBytes: fc.constantFrom(0, 1, 3, 9),
  points: fc.integer({ min: 2, max: 600 }),
  seed: fc.nat({ max: 0x7fff_ffff }),
  limit: fc.constantFrom(256, 256, 40, 3),
};

function decodedNoise(packed: Uint8Array, shape: PointShape, points: number): Uint8Array | undefined {
  try {
    return decodeChunk(packed, shape, points);
  } catch (error) {
    assert.ok(error instanceof BytesError, String(error));
    return undefined;
  }
}

/** Both decode a chunk of noise to the same bytes. @param compared how many bytes of a record are the same */
function agree(given: Noise, compared: (recordLength: number) => number): void {
  const { packed, recordLength } = chunkOf(given);
  const shape = { pointFormat: given.pointFormat, recordLength };
  const ours = decodedNoise(packed, shape, given.points);
  // bits that are not modelled may exceed their number: no encoder writes such
  fc.pre(ours !== undefined);
  const theirs = lazPerf(packed, shape, given.points);
  const length = compared(recordLength);
  const at = ours.findIndex((byte, i) => byte !== theirs[i] && i % recordLength < length);
  const place = `point ${Math.floor(at / recordLength)}, byte ${at % recordLength}`;
  assert.equal(at, -1, `${place}: ${ours[at]}, not ${theirs[at]}`);
}

test('decodes noise in the formats 0 to 3 as laz-perf does, byte for byte', () => {
  const chunks = fc.record({ ...noises, pointFormat: fc.constantFrom(0, 1, 2, 3) });
  fc.assert(
    fc.property(chunks, (given) => agree(given, (length) => length)),
    { numRuns: 150 },
  );
});

test('decodes noise in the formats 6 to 8, with several scanner channels, as laz-perf does, byte for byte', () => {
  const chunks = fc.record({ ...noises, pointFormat: fc.constantFrom(6, 7, 8) });
  fc.assert(
    fc.property(chunks, (given) => agree(given, (length) => length)),
    { numRuns: 150 },
  );
});

test('decodes noise of colours, infrared and extra bytes as laz-perf does, byte for byte', () => {
  const chunks = fc.record({ ...noises, pointFormat: fc.constantFrom(6, 7, 8), isStill: fc.constant(true) });
  fc.assert(
    fc.property(chunks, (given) => agree(given, (length) => length)),
    { numRuns: 150 },
  );
});

test('skips the layers of fields that nobody wants', () => {
  const given = { pointFormat: 8, extraBytes: 2, points: 400, seed: 5, limit: 256 };
  const { packed, recordLength } = chunkOf(given);
  const whole = decodeChunk(packed, { pointFormat: 8, recordLength }, given.points);
  const fields = new Set(['classification', 'infrared'] as const);
  const some = decodeChunk(packed, { pointFormat: 8, recordLength, fields }, given.points);
  for (let i = 0; i < given.points; i++) {
    const record = (from: Uint8Array) => from.subarray(i * recordLength, (i + 1) * recordLength);
    const [one, other] = [record(whole), record(some)];
    for (const [from, to] of [
      [0, 12],
      [14, 15],
      [16, 17],
      [36, 38],
    ] as const)
      assert.deepEqual(other.subarray(from, to), one.subarray(from, to));
    assert.deepEqual(other.subarray(30, 36), some.subarray(30, 36));
  }
});

test('noise in the formats with wave packets decodes without an end, and one that is cut off is damaged', () => {
  for (const pointFormat of [4, 5]) {
    const { packed, recordLength } = chunkOf({
      pointFormat,
      extraBytes: 1,
      points: 20,
      seed: 9,
      limit: 256,
    });
    assert.equal(decodeChunk(packed, { pointFormat, recordLength }, 20).length, 20 * recordLength);
    const cut = packed.subarray(0, 200);
    assert.throws(() => decodeChunk(cut, { pointFormat, recordLength }, 20), BytesError);
  }
  const layered = chunkOf({ pointFormat: 6, extraBytes: 0, points: 300, seed: 9, limit: 256 });
  for (const length of [3, 40, 80, 5000])
    assert.throws(
      () =>
        decodeChunk(
          layered.packed.subarray(0, length),
          { pointFormat: 6, recordLength: layered.recordLength },
          300,
        ),
      BytesError,
    );
});

const samples = process.env['PLATEN_SAMPLE_DATA'] ?? join(import.meta.dirname, '../../../../shared/data');

for (const name of ['lone-star.laz', 'lone-star.copc.laz']) {
  const path = join(samples, 'points', name);
  const skip = existsSync(path) ? false : `SKIPPED: ${samples} is not there`;
  test(`decodes all points of ${name} as laz-perf does, byte for byte`, { skip }, async () => {
    const bytes = countedBytes(await readFile(path));
    const header = await readLasHeader(bytes);
    const { records } = await listRecords(bytes, header);
    const settings = await readRecord(
      bytes,
      records.find(({ id }) => id === 22_204)!,
    );
    for (const { offset, length, points } of await readChunks(bytes, header, decodeLazSettings(settings))) {
      const packed = await bytes.read(offset, length);
      assert.ok(Buffer.from(decodeChunk(packed, header, points)).equals(lazPerf(packed, header, points)));
    }
  });
}
