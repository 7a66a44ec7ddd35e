import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { processIdentity } from '../scratch/process-identity.ts';
import { storeIdentity, adoptIdentity } from './identity.ts';

const url = 'http://platen.test';
const one = { url, name: 'one', token: 'secret' };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-identity-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const take = (name?: string, at = url) => adoptIdentity(folder, { url: at, name });

async function onlyFile(): Promise<string> {
  const names = await readdir(folder);
  assert.equal(names.length, 1);
  return join(folder, names[0]!);
}

/** Puts another life into the file. */
async function usedBy(life: object | undefined): Promise<void> {
  const path = await onlyFile();
  await writeFile(path, JSON.stringify({ ...one, life }), { mode: 0o600 });
}

test('the identity of a runner is readable only by it, and used only by it while it runs', async () => {
  const file = await storeIdentity(folder, one);
  assert.equal((await stat(await onlyFile())).mode & 0o777, 0o600);
  assert.equal(await take(), undefined);
  assert.equal(await take('one'), undefined);
  await file.release();
  assert.deepEqual((await take())?.identity, one);
  assert.equal(await take(), undefined, 'now it is taken');
});

test('an identity is used for its name and service only, and deleted when its token is refused', async () => {
  await (await storeIdentity(folder, one)).release();
  assert.equal(await take('two'), undefined);
  assert.equal(await take(undefined, 'http://another.test'), undefined);
  const file = await take('one');
  assert.deepEqual(file?.identity, one);
  await file?.remove();
  assert.deepEqual(await readdir(folder), []);
});

test('if several runners want an identity at the same time, one gets it', async () => {
  await (await storeIdentity(folder, one)).release();
  const taken = await Promise.all(Array.from({ length: 8 }, () => take()));
  assert.equal(taken.filter((file) => file !== undefined).length, 1);
  await onlyFile();
});

test('that of a runner that was killed is free', async () => {
  await storeIdentity(folder, one);
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  try {
    await usedBy(await processIdentity(other.pid!));
    assert.equal(await take(), undefined);
  } finally {
    const gone = new Promise((resolve) => other.once('exit', resolve));
    other.kill('SIGKILL');
    await gone;
  }
  assert.deepEqual((await take())?.identity, one);
});

test('that of one in another container is free when it has been silent, or for who was given its name', async () => {
  await (await storeIdentity(folder, one)).release();
  const life = { ...(await processIdentity(process.pid))!, namespace: 'pid:[1]' };
  await usedBy(life);
  assert.equal(await take(), undefined);
  const before = new Date(Date.now() - 180_000);
  await utimes(await onlyFile(), before, before);
  assert.deepEqual((await take())?.identity, one);
  await usedBy(life);
  assert.deepEqual((await take('one'))?.identity, one);
});

test('an identity that others could read or write, or that is damaged, is ignored', async () => {
  await (await storeIdentity(folder, one)).release();
  await chmod(await onlyFile(), 0o644);
  assert.equal(await take(), undefined);
  const path = await onlyFile();
  await chmod(path, 0o600);
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, 10));
  assert.equal(await take(), undefined);
});
