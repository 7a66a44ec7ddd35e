import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { openLas } from '@platen/formats/las/open-las';
import { writeLas } from '@platen/formats/las/testing';
import { readGardenCopc } from '@platen/formats/las/testing-copc';
import { afterFile } from '../../checks/clean-up.ts';
import { JobFailure } from '../job-type.ts';
import { openPointTests, readTileset } from './testing.ts';
import { small, town, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

const damages = fc.array(
  fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat({ max: 255 }) }),
  { minLength: 1, maxLength: 6 },
);

/** Of each format. CI makes 200. */
const mutants = 2 * Number(process.env['PLATEN_MUTANTS'] ?? 40);

/** Bytes of the header and of the records behind it are changed as often as all others together. */
function damage(whole: Uint8Array, head: number, changes: readonly { at: number; byte: number }[]): Buffer {
  const copy = Buffer.from(whole);
  for (const [i, { at, byte }] of changes.entries())
    copy[Math.floor(at * ((i % 2 === 0 ? head : copy.length) - 1))] = byte;
  return copy;
}

/** A damaged file becomes tiles that can be read, or fails with a reason. */
async function survives(name: string, content: Uint8Array, crs?: string): Promise<void> {
  const file = await tests.put(name, content, crs);
  try {
    const run = await tests.run([file], { ...small, processing: { workers: 1 } });
    const { tiles } = await readTileset(run);
    const count = tiles.reduce((sum, { places }) => sum + places.length / 3, 0);
    assert.equal(count, run.result.datasource!.properties['pointCount']);
  } catch (error) {
    assert.ok(error instanceof JobFailure, String((error as Error).stack));
    assert.ok(error.message.length > 20);
  }
}

test('a damaged LAS becomes tiles or fails with a reason', async () => {
  const whole = writeLas({ pointFormat: 3, points: town(400), records: [utm] });
  await fc.assert(
    fc.asyncProperty(damages, (changes) => survives('d.las', damage(whole, 400, changes))),
    { numRuns: mutants },
  );
});

test('a LAS that is cut off anywhere becomes tiles or fails with a reason', async () => {
  const whole = writeLas({ minor: 4, pointFormat: 7, points: town(100), records: [utm] });
  for (let length = 0; length < whole.length; length += 173)
    await survives('c.las', whole.subarray(0, length));
});

/** The beginning of a COPC with one chunk and its table. */
async function smallLaz(): Promise<{ readonly content: Buffer; readonly head: number }> {
  const packed = await readGardenCopc();
  const { header, parts } = await openLas(bytesOf(packed));
  const [chunk] = parts.toSorted((a, b) => a.length - b.length);
  const head = Buffer.from(packed.subarray(0, header.pointOffset + 8));
  const points = packed.subarray(chunk!.offset, chunk!.offset + chunk!.length);
  head.writeBigUInt64LE(BigInt(chunk!.points), 247);
  head.writeBigInt64LE(-1n, header.pointOffset);
  // no records behind the points
  head.writeUInt32LE(0, 243);
  return { content: Buffer.concat([head, points]), head: head.length };
}

test('a damaged LAZ becomes tiles or fails with a reason', async () => {
  const { content, head } = await smallLaz();
  const whole = await readGardenCopc();
  await survives('no-table.laz', content, 'EPSG:25832');
  await fc.assert(
    fc.asyncProperty(damages, (changes) => survives('d.laz', damage(content, head, changes), 'EPSG:25832')),
    { numRuns: mutants },
  );
  await fc.assert(
    fc.asyncProperty(damages, (changes) => survives('d.laz', damage(whole, head, changes), 'EPSG:25832')),
    { numRuns: Math.ceil(mutants / 30) },
  );
});
