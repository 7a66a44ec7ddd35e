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

test('who a runner is nobody else can read, and nobody else is while it lives', async () => {
  const file = await storeIdentity(folder, one);
  assert.equal((await stat(await onlyFile())).mode & 0o777, 0o600);
  assert.equal(await take(), undefined);
  assert.equal(await take('one'), undefined);
  await file.release();
  assert.deepEqual((await take())?.identity, one);
  assert.equal(await take(), undefined, 'now it is taken');
});

test('it is taken by that name and for that service only, and is gone when it leads nowhere', async () => {
  await (await storeIdentity(folder, one)).release();
  assert.equal(await take('two'), undefined);
  assert.equal(await take(undefined, 'http://another.test'), undefined);
  const file = await take('one');
  assert.deepEqual(file?.identity, one);
  await file?.remove();
  assert.deepEqual(await readdir(folder), []);
});

test('of several that want it at the same time one has it', async () => {
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

test('what others could have read or written, and what is broken, is none', async () => {
  await (await storeIdentity(folder, one)).release();
  await chmod(await onlyFile(), 0o644);
  assert.equal(await take(), undefined);
  const path = await onlyFile();
  await chmod(path, 0o600);
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, 10));
  assert.equal(await take(), undefined);
});
