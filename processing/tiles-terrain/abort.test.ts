import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { afterFile } from '../../checks/clean-up.ts';
import { longestAbort } from '../testing-abort.ts';
import { runTerrain, writeCells } from './testing.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-abort-'));
afterFile(() => rm(folder, { recursive: true }));

for (const kind of ['quantizedMesh', 'contours'] as const) {
  test(`a job without threads has ended two seconds after an abort: ${kind}`, async (t) => {
    const heightAt = (x: number, y: number): number => Math.sin(x / 9) * Math.cos(y / 7) * 60 + x;
    const input = await writeCells(join(folder, `${kind}.asc`), heightAt, 200);
    const { seconds, aborts } = await longestAbort(async (signal) => {
      const { remove } = await runTerrain([input], { output: { kind } }, { signal });
      await remove();
    });
    t.diagnostic(`${aborts} aborts, at most ${seconds.toFixed(2)} s`);
    assert.ok(aborts > 0 && seconds <= 2, `${seconds} s`);
  });
}
