import assert from 'node:assert/strict';
import { link, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JobLimits } from '@platen/processing/job-type';
import { startJobProcess } from '../job-process.ts';
import { watchDisk } from './watch-disk.ts';
import { afterFile } from '../../checks/clean-up.ts';

const scratchFolder = await realpath(await mkdtemp(join(tmpdir(), 'platen-limits-')));
afterFile(() => rm(scratchFolder, { recursive: true, force: true }));
const program = join(import.meta.dirname, 'testing-greedy.ts');

async function run(of: string, limits: Partial<JobLimits>) {
  const child = await startJobProcess({ scratchFolder, memoryMegabytes: 512, program, ...limits });
  const { output: outputFolder, scratch } = child.folders;
  const where = { outputFolder, scratchFolder: scratch, readsRanges: false, isVerbose: false };
  try {
    const { signal } = new AbortController();
    return await child.run({ name: 'Greedy', options: { of }, inputs: [], ...where }, () => {}, signal);
  } finally {
    await child.end();
  }
}

test('a job whose threads exceed the CPU limit is ended, with the limit and the setting in the message', async () => {
  const began = performance.now();
  await assert.rejects(run('time', { cpuSeconds: 1 }), {
    code: 'outOfCpuTime',
    message: /1 seconds of CPU time .*PLATEN_RUNNER_CPU_SECONDS/,
  });
  assert.ok(performance.now() - began < 20_000);
});

for (const [of, what] of [
  ['disk', 'fills its folders'],
  ['files', 'makes files that hold nothing'],
  ['hidden', 'fills a file that it has removed'],
] as const)
  test(`a job that ${what} is ended soon after it exceeds the limit`, async () => {
    await assert.rejects(run(of, { scratchMegabytes: 16 }), {
      code: 'scratchLimit',
      message: /16 MB of scratch disk .*PLATEN_RUNNER_SCRATCH_MB/,
    });
  });

test('released resources do not count', async () => {
  assert.deepEqual(await run('modest', { scratchMegabytes: 16 }), {});
});

test('inputs that are links take nothing of the disk, copies do', async () => {
  const [inputs, written] = [
    await mkdtemp(join(scratchFolder, 'i-')),
    await mkdtemp(join(scratchFolder, 'w-')),
  ];
  await writeFile(join(scratchFolder, 'stored'), Buffer.alloc(4 * 2 ** 20, 1));
  await link(join(scratchFolder, 'stored'), join(inputs, 'a'));
  const watch = () => watchDisk({ pid: 0, inputs, written: [written], megabytes: 2 });
  assert.equal(await watch().isOver(), false);
  await link(join(scratchFolder, 'stored'), join(written, 'a'));
  assert.equal(await watch().isOver(), true, 'where the job may write, a link of its own hides nothing');
  await rm(join(written, 'a'));
  await writeFile(join(inputs, 'b'), Buffer.alloc(4 * 2 ** 20, 1));
  assert.equal(await watch().isOver(), true);
});
