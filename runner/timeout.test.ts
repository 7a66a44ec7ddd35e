import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startJobProcess } from './job-process.ts';
import { withTimeout } from './attempt.ts';

test('a job that blocks its thread is ended after its time limit', async (t) => {
  const scratchFolder = await realpath(await mkdtemp(join(tmpdir(), 'platen-hang-')));
  t.after(() => rm(scratchFolder, { recursive: true, force: true }));
  const program = join(import.meta.dirname, 'testing-hang.ts');
  const child = await startJobProcess({ scratchFolder, memoryMegabytes: 256, program });
  const { output: outputFolder, scratch } = child.folders;
  const start = {
    name: 'Hang',
    options: {},
    inputs: [],
    outputFolder,
    scratchFolder: scratch,
    readsRanges: false,
    isVerbose: false,
  };
  const { signal } = new AbortController();
  const hanging = withTimeout({ title: 'Hanging', seconds: 0.5 }, signal, (either) =>
    child.run(start, () => {}, either),
  );
  await assert.rejects(hanging, {
    code: 'timedOut',
    message: 'Hanging exceeded its time limit of 0.5 seconds.',
  });
  await child.end();
  assert.equal(child.isAlive(), false);
});

const { signal: calm } = new AbortController();

test('work that ignores its signal is abandoned, and its later result does not count', async () => {
  const deaf = withTimeout({ title: 'Deaf', seconds: 0.05 }, calm, () =>
    sleep(60_000, undefined, { ref: false }),
  );
  await assert.rejects(deaf, { code: 'timedOut' });
  const talking = withTimeout({ title: 'Talking', seconds: 0.05 }, calm, async (signal) => {
    await sleep(60_000, undefined, { signal }).catch(() => {
      throw new TypeError('fetch failed');
    });
  });
  await assert.rejects(talking, { code: 'timedOut' });
});

test('a month is waited for, although no timer can', async () => {
  const month = { title: 'Long', seconds: 30 * 24 * 3600 };
  assert.equal(await withTimeout(month, calm, () => sleep(50, 'done')), 'done');
  await assert.rejects(
    withTimeout(month, calm, () => Promise.reject(new Error('its own'))),
    { message: 'its own' },
  );
});
