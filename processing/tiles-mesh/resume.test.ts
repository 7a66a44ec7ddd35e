import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobContext } from '../job-type.ts';
import { testContext } from '../testing-context.ts';
import { runUntilKilled } from '../testing-killed-job.ts';
import { runTilesMesh } from './run.ts';
import { gradient, library, objOfSurface } from './testing-surface.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-mesh-resume-'));
afterFile(() => rm(folder, { recursive: true, force: true }));

const surface = { side: 200, cells: 60 };
const zip = zipOfFiles({
  'west.obj': objOfSurface(surface, [0, 0, 0.5, 1]),
  'east.obj': objOfSurface(surface, [0.5, 0, 1, 1]),
  'photo.mtl': library,
  'photo.png': await gradient(256),
});
const path = join(folder, 'town.zip');
await writeFile(path, zip);
const options = {
  modelOptions: { placement: { longitude: 11.5, latitude: 48.1 } },
  tiling: { triangles: 1000 },
  processing: { workers: 1 },
};

const inputs = [{ path, name: 'town.zip', size: zip.length }];

async function run(more: Partial<JobContext>): Promise<Buffer> {
  const outputFolder = await mkdtemp(join(folder, 'out-'));
  await runTilesMesh(options, testContext({ inputs, outputFolder, ...more }));
  return readFile(join(outputFolder, 'tileset.3tz'));
}

const expected = await run({ scratchFolder: await mkdtemp(join(folder, 'whole-')) });
const ends = [
  ['read', 0.4],
  ['divide', 0.4],
  ['make', 0.4],
  ['write', 0.5],
] as const;

/** Runs the job to its end, with what former attempts have left. */
async function finish(scratchFolder: string): Promise<void> {
  const done: number[] = [];
  const last = await run({
    scratchFolder,
    progress: (phase, first) => void (phase === 'make' && done.push(first)),
  });
  assert.ok(done[0]! > 0, 'tiles of the former attempts are kept');
  assert.ok(last.equals(expected));
  assert.deepEqual(await readdir(scratchFolder), []);
}

test('a job that ended in any phase continues where it was, and gives the same bytes', async () => {
  const scratchFolder = await mkdtemp(join(folder, 'scratch-'));
  for (const [wanted, share] of ends) {
    const aborter = new AbortController();
    const progress = (phase: string, done: number, total: number): void => {
      if (phase === wanted && done / total >= share) aborter.abort(new Error('ended'));
    };
    await assert.rejects(
      run({ scratchFolder, keepsScratch: true, signal: aborter.signal, progress }),
      /ended/,
    );
  }
  await finish(scratchFolder);
});

test('a job whose process is killed in any phase continues in another folder, and gives the same bytes', async () => {
  let scratchFolder = await mkdtemp(join(folder, 'killed-'));
  for (const [phase, share] of ends) {
    const outputFolder = await mkdtemp(join(folder, 'out-'));
    await runUntilKilled({ type: 'TilesMesh', options, inputs, outputFolder, scratchFolder, phase, share });
    await rename(scratchFolder, `${scratchFolder}-moved`);
    scratchFolder += '-moved';
  }
  await finish(scratchFolder);
});
