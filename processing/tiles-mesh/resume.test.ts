import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobContext } from '../job-type.ts';
import { testContext } from '../testing-context.ts';
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

async function run(more: Partial<JobContext>): Promise<Buffer> {
  const outputFolder = await mkdtemp(join(folder, 'out-'));
  const inputs = [{ path, name: 'town.zip', size: zip.length }];
  await runTilesMesh(options, testContext({ inputs, outputFolder, ...more }));
  return readFile(join(outputFolder, 'tileset.3tz'));
}

test('a job that ended in any phase continues where it was, and gives the same bytes', async () => {
  const expected = await run({ scratchFolder: await mkdtemp(join(folder, 'whole-')) });
  const scratchFolder = await mkdtemp(join(folder, 'scratch-'));
  for (const [wanted, share] of [
    ['read', 0.4],
    ['divide', 0.5],
    ['make', 0.4],
    ['write', 0.5],
  ] as const) {
    const aborter = new AbortController();
    const progress = (phase: string, done: number, total: number): void => {
      if (phase === wanted && done / total >= share) aborter.abort(new Error('ended'));
    };
    await assert.rejects(
      run({ scratchFolder, keepsScratch: true, signal: aborter.signal, progress }),
      /ended/,
    );
  }
  const done: number[] = [];
  const last = await run({
    scratchFolder,
    progress: (phase, first) => void (phase === 'make' && done.push(first)),
  });
  assert.ok(done[0]! > 0, 'tiles of the former attempts are kept');
  assert.ok(last.equals(expected));
  assert.deepEqual(await readdir(scratchFolder), []);
});
