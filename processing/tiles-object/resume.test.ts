import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { runUntilKilled } from '../testing-killed-job.ts';
import { openObjectTests } from './testing.ts';
import { cityGml, houseXml, housesInRows } from './testing-models.ts';

const tests = await openObjectTests();
afterFile(tests.remove);

/** Aborts when a phase has come so far. */
function abortedAt(wanted: string, share: number, scratchFolder: string) {
  const aborter = new AbortController();
  return {
    scratchFolder,
    keepsScratch: true,
    signal: aborter.signal,
    progress: (phase: string, done: number, total: number) => {
      if (phase === wanted && done / total >= share) aborter.abort(new Error('ended'));
    },
  };
}

const houses = housesInRows(600).map(houseXml);
const inputs = await Promise.all(
  [0, 1, 2].map((part) =>
    tests.put(`${part}.gml`, cityGml(houses.slice(part * 200, part * 200 + 200).join(''))),
  ),
);
const options = { tiling: { features: 30 }, processing: { workers: 1 } };
const whole = await tests.run(inputs, options);
const expected = await readFile(join(whole.outputFolder, 'tileset.3tz'));

/** Runs the job to its end, with what former attempts have left. */
async function finish(scratchFolder: string): Promise<void> {
  const done: number[] = [];
  const last = await tests.run(inputs, options, {
    scratchFolder,
    progress: (phase, first) => void (phase === 'make' && done.push(first)),
  });
  assert.ok(done[0]! > 0, 'tiles of the former attempts are kept');
  assert.ok((await readFile(join(last.outputFolder, 'tileset.3tz'))).equals(expected));
  assert.deepEqual(await readdir(scratchFolder), []);
}

test('a job that ended in any phase goes on where it was, and gives the same bytes', async () => {
  const scratch = await mkdtemp(join(tests.folder, 'scratch-'));
  for (const [phase, share] of [
    ['read', 0.6],
    ['make', 0.4],
    ['write', 0.5],
  ] as const)
    await assert.rejects(tests.run(inputs, options, abortedAt(phase, share, scratch)), /ended/);
  await finish(scratch);
});

test('a job whose process is killed in any phase goes on in another folder, and gives the same bytes', async () => {
  let scratchFolder = await mkdtemp(join(tests.folder, 'killed-'));
  for (const [phase, share] of [
    ['read', 0.4],
    ['make', 0.4],
    ['write', 0.5],
  ] as const) {
    const outputFolder = await mkdtemp(join(tests.folder, 'output-'));
    await runUntilKilled({ type: 'TilesObject', options, inputs, outputFolder, scratchFolder, phase, share });
    await rename(scratchFolder, `${scratchFolder}-moved`);
    scratchFolder += '-moved';
  }
  await finish(scratchFolder);
});
