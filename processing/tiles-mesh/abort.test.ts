import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { zipOfFiles } from '@platen/formats/zip/testing';
import { afterFile } from '../../checks/clean-up.ts';
import type { JobInput } from '../job-type.ts';
import { longestAbort } from '../testing-abort.ts';
import { testContext } from '../testing-context.ts';
import { runTilesMesh } from './run.ts';
import type { TilesMeshOptions } from './spec.ts';
import { gradient, library, objOfSurface } from './testing-surface.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-mesh-abort-'));
afterFile(() => rm(folder, { recursive: true, force: true }));

const surface = { side: 400, cells: 120 };
const path = join(folder, 'town.zip');
await writeFile(
  path,
  zipOfFiles({
    'west.obj': objOfSurface(surface, [0, 0, 0.5, 1]),
    'east.obj': objOfSurface(surface, [0.5, 0, 1, 1]),
    'photo.mtl': library,
    'photo.png': await gradient(1024),
  }),
);
const options: TilesMeshOptions = {
  modelOptions: { placement: { longitude: 11.5, latitude: 48.1 } },
  tiling: { triangles: 2000 },
};

async function run(source: string, signal: AbortSignal): Promise<JobInput> {
  const outputFolder = await mkdtemp(join(folder, 'out-'));
  const inputs = [{ path: source, name: source.slice(folder.length + 1), size: (await stat(source)).size }];
  await runTilesMesh(
    options,
    testContext({ inputs, outputFolder, scratchFolder: join(outputFolder, 'scratch'), signal }),
  );
  const made = join(outputFolder, 'tileset.3tz');
  return { path: made, name: 'tileset.3tz', size: (await stat(made)).size };
}

test('a job has ended two seconds after an abort: a mesh', async (t) => {
  const { seconds, aborts } = await longestAbort((signal) => run(path, signal));
  t.diagnostic(`${aborts} aborts, at most ${seconds.toFixed(2)} s`);
  assert.ok(aborts > 0 && seconds <= 2, `${seconds} s`);
});

test('a job has ended two seconds after an abort: a tileset that is kept', async (t) => {
  const made = await run(path, new AbortController().signal);
  const { seconds, aborts } = await longestAbort((signal) => run(made.path, signal));
  t.diagnostic(`${aborts} aborts, at most ${seconds.toFixed(2)} s`);
  assert.ok(aborts > 0 && seconds <= 2, `${seconds} s`);
});
