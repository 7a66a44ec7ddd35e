import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const program = resolve(import.meta.dirname, '../start.js');

/** Starts the service as far as its settings, of which one is wrong. */
async function start(folder: string): Promise<string> {
  const env = { PLATEN_DATA: join(folder, 'data'), TMPDIR: join(folder, 'tmp'), PLATEN_PORT: 'none' };
  const options = ['--disable-warning=ExperimentalWarning', program];
  return promisify(execFile)(process.execPath, options, { env }).then(
    () => assert.fail('it started'),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      assert.match(stderr, /PLATEN_PORT must be a whole number/);
      return stdout;
    },
  );
}

test('compiled code is kept in the data folder, never in a temporary one, and only where others cannot write', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-compiled-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'tmp'));
  const cache = join(folder, 'data/cache/node');
  await start(folder);
  assert.equal((await stat(cache)).mode & 0o777, 0o700);
  assert.notDeepEqual(await readdir(cache), []);
  await rm(cache, { recursive: true });
  await mkdir(cache);
  await chmod(cache, 0o777);
  assert.match(await start(folder), /Compiled code is not cached.*other users can write to it/);
  assert.deepEqual([await readdir(cache), await readdir(join(folder, 'tmp'))], [[], []]);
});
