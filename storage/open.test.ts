import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openStore } from './open.ts';

test('file: takes an absolute path, a relative one, and a URL', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'platen storage-'));
  t.after(() => rm(root, { recursive: true }));
  await openStore(`file:${root}/absolute`);
  await openStore(`file:${relative('.', root)}/relative`);
  await openStore(pathToFileURL(join(root, 'a url')).href);
  assert.deepEqual((await readdir(root)).toSorted(), ['a url', 'absolute', 'relative']);
});

test('an invalid setting is refused with a valid example', async () => {
  for (const setting of ['', 'data', 'file:', 'ftp://host/folder', '/data']) {
    await assert.rejects(openStore(setting), /[Uu]se file:\/path/, setting);
  }
});
