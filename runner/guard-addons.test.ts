import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { glob, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { writePng } from '@platen/formats/png/write-png';
import { startJobProcess } from './job-process.ts';
import type { ChildMessage } from './messages.ts';

const program = join(import.meta.dirname, 'testing-image-probe.ts');

interface ProbeReport {
  readonly able: readonly string[];
  readonly tried: readonly string[];
}

async function makeStart(t: TestContext, isGuarded: boolean) {
  const scratchFolder = await realpath(await mkdtemp(join(tmpdir(), 'platen-images-')));
  t.after(() => rm(scratchFolder, { recursive: true, force: true }));
  const secretPicture = join(scratchFolder, 'secret.png');
  await writeFile(secretPicture, writePng(new Uint8Array(8 * 8 * 4), 8, 8));
  const pattern = '../node_modules/@{rolldown,oxc-resolver}/**/*.node';
  const [addon] = await Array.fromAsync(glob(pattern, { cwd: import.meta.dirname }));
  return {
    name: 'Probe',
    options: { secretPicture, otherAddon: resolve(import.meta.dirname, addon!), isGuarded },
    inputs: [],
    outputFolder: scratchFolder,
    scratchFolder,
    readsRanges: false,
    isVerbose: false,
  };
}

test('without the guard, native code does whatever is tried here', async (t) => {
  const start = await makeStart(t, false);
  const child = fork(program, {
    env: { VIPS_BLOCK_UNTRUSTED: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'message'); // it is ready
  child.send(start);
  const [message] = (await once(child, 'message')) as [ChildMessage & { readonly type: 'result' }];
  const { able, tried } = message.result.report as unknown as ProbeReport;
  assert.ok(tried.length > 15);
  assert.deepEqual(
    able,
    tried.filter((name) => name !== 'drawsVectors'),
  );
});

test('native code decodes the bytes of a job, and opens nothing for it, whatever the job does to the language', async (t) => {
  const start = await makeStart(t, true);
  const child = await startJobProcess({ scratchFolder: start.scratchFolder, memoryMegabytes: 256, program });
  t.after(() => child.end());
  const { output: outputFolder, scratch: scratchFolder } = child.folders;
  const guarded = { ...start, outputFolder, scratchFolder };
  const { report } = await child.run(guarded, () => {}, new AbortController().signal);
  assert.deepEqual((report as unknown as ProbeReport).able, ['shrinks', 'measures']);
});
