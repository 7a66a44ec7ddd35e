import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { confinementOf } from './job-confinement.ts';
import { afterFile } from '../checks/clean-up.ts';

const scratchFolder = await realpath(await mkdtemp(join(tmpdir(), 'platen-orphans-')));
afterFile(() => rm(scratchFolder, { recursive: true, force: true }));
const program = join(import.meta.dirname, 'testing-parent.ts');

test('with setpriv of util-linux, the system itself ties a job to its runner', async () => {
  const isThere = existsSync('/usr/bin/setpriv') || existsSync('/bin/setpriv');
  const { measures } = await confinementOf(scratchFolder);
  assert.equal(measures.has('endsWithParent'), process.platform === 'linux' && isThere);
});

const withinMs = 10_000;

for (const how of ['tied', 'watched'])
  test(`a process that is busy dies with the runner that is killed: ${how}`, async (t) => {
    const parent = spawn(process.execPath, [program, how, scratchFolder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString().split('\n')[0]);
    t.after(() => isAlive(pid).then((alive) => alive && process.kill(pid, 'SIGKILL')));
    assert.ok(await isAlive(pid));
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    const began = performance.now();
    while (await isAlive(pid)) {
      assert.ok(performance.now() - began < withinMs, 'it goes on for nobody');
      await sleep(10);
    }
    t.diagnostic(`dead after ${(performance.now() - began).toFixed(0)} ms`);
  });

/** One that is dead, and that nobody has asked for, is not. */
async function isAlive(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const state = text.slice(text.lastIndexOf(')') + 2)[0];
  return state !== undefined && state !== 'Z' && state !== 'X';
}
