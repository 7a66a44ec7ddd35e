import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laszipRecord, writeLas } from '@platen/formats/las/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { JobFailure, type JobContext } from '../job-type.ts';
import { openPointTests } from './testing.ts';
import { small, town, utm } from './testing-town.ts';

const tests = await openPointTests();
afterFile(() => tests.remove());

const points = town(500);
const whole = writeLas({ minor: 4, pointFormat: 6, points, records: [utm] });

/** The code and message of the failure, or the number of points and the warnings. */
async function endOf(las: Buffer, more: Partial<JobContext> = {}): Promise<string> {
  const warned: string[] = [];
  const warn: JobContext['warn'] = (code) => warned.push(code);
  try {
    const { result } = await tests.run([await tests.put('a.las', las)], small, { warn, ...more });
    return [result.datasource!.properties['pointCount'], ...warned].join(' ');
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return [error.code, error.message, ...warned].join(' ');
  }
}

function changed(change: (las: Buffer) => unknown): Buffer {
  const las = Buffer.from(whole);
  change(las);
  return las;
}

for (const [title, change, end] of [
  ['a scale of 0', (las) => las.writeDoubleLE(0, 131), /^brokenFile .* its scale is damaged/],
  ['a scale that is no number', (las) => las.writeDoubleLE(NaN, 139), /^brokenFile .* its scale is damaged/],
  ['a scale of 1e300', (las) => las.writeDoubleLE(1e300, 131), /^nothingUsable .* pointsOutside$/],
  ['an offset of 1e300', (las) => las.writeDoubleLE(1e300, 155), /^nothingUsable .* pointsOutside$/],
  ['a box that is no number', (las) => las.writeDoubleLE(NaN, 187), /^brokenFile .* no bounding box/],
  ['an endless box', (las) => las.writeDoubleLE(Infinity, 179), /^brokenFile .* no bounding box/],
  ['points past the end', (las) => las.writeUInt32LE(2 ** 31, 96), /^nothingUsable .* cutSheet$/],
  ['2^60 points', (las) => las.writeBigUInt64LE(2n ** 60n, 247), /^500 cutSheet$/],
  ['2^32 records', (las) => las.writeUInt32LE(2 ** 32 - 1, 100), /^500$/],
] as const satisfies [string, (las: Buffer) => unknown, RegExp][])
  test(`of a header with ${title}, what is wrong is said, and what can be read is`, async () => {
    assert.match(await endOf(changed(change)), end);
  });

for (const [title, compressor, version, end] of [
  // one chunk for all points
  ['of before 2011', 1, 2, /^brokenFile .* by an old version of LAZ; compress it again/],
  ['of the first version', 2, 1, /^brokenFile .* by an old version of LAZ; compress it again/],
  ['of a compressor to come', 4, 3, /^brokenFile .* by a newer version of LAZ; write it again/],
  ['of a version to come', 3, 5, /^brokenFile .* by a newer version of LAZ; write it again/],
] as const)
  test(`LAZ ${title} is refused with what to do`, async () => {
    const laszip = laszipRecord(compressor, { type: compressor < 3 ? 6 : 10, version });
    const las = writeLas({ pointFormat: 0, points, records: [utm, laszip] });
    las.writeUInt8(128, 104);
    assert.match(await endOf(las), end);
  });

test('a job that needs more temporary files than there is space for fails before it reads a point', async () => {
  const phases: string[] = [];
  const end = await endOf(whole, {
    limits: { memoryMegabytes: 1024, scratchMegabytes: 0.01 },
    progress: (phase) => phases.push(phase),
  });
  assert.match(end, /^scratchFull The points need .* GB for temporary files/);
  assert.ok(!phases.includes('read'));
  assert.match(await endOf(whole, { limits: { memoryMegabytes: 1024, scratchMegabytes: 1 } }), /^500$/);
});
