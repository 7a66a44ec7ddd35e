import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { roughHeights } from '@platen/geo/terrain/testing';
import { afterFile } from '../../checks/clean-up.ts';
import { runTerrain } from './testing.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-terrain-resume-'));
afterFile(() => rm(folder, { recursive: true }));

const rough = roughHeights(8, 200);
const size = 560;
const lines = Array.from({ length: size }, (_, row) =>
  Array.from({ length: size }, (_cell, column) => rough(column, row).toFixed(1)).join(' '),
);
const grid = { path: join(folder, 'rough.asc'), crs: 'EPSG:4326' };
const head = `ncols ${size}\nnrows ${size}\nxllcorner 8\nyllcorner 47\ncellsize 0.0005\n`;
await writeFile(grid.path, `${head}${lines.join('\n')}\n`);
const options = { heights: { vertical: 'ellipsoid' }, processing: { workers: 1 } };

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

test('a job that ended in any phase goes on where it was, and gives the same bytes', async () => {
  const whole = await runTerrain([grid], options);
  const expected = await readFile(join(whole.outputFolder, 'tiles.pmtiles'));
  await whole.remove();
  const scratch = await mkdtemp(join(folder, 'scratch-'));
  for (const [phase, share] of [
    ['read', 0.3],
    ['make', 0.4],
  ] as const) {
    await assert.rejects(runTerrain([grid], options, abortedAt(phase, share, scratch)), /ended/);
  }
  const done: number[] = [];
  const last = await runTerrain([grid], options, {
    scratchFolder: scratch,
    progress: (phase, first) => void (phase === 'make' && done.push(first)),
  });
  assert.ok(done[0]! > 0, 'tiles of the former attempt are kept');
  assert.ok((await readFile(join(last.outputFolder, 'tiles.pmtiles'))).equals(expected));
  assert.deepEqual(await readdir(scratch), []);
  await last.remove();
});
