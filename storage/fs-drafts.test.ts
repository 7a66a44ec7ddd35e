import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openFsStore } from './fs.ts';
import { rejectsWith, sha256, text } from './testing.ts';

const ID = 'draft00001';

test('fs: a draft is a separate file, which outlives the store and is never swept', async (t) => {
  const root = await folder(t);
  const { drafts } = await openFsStore(root);
  await drafts.begin(ID);
  await drafts.append(ID, 0, text('0123'));
  const file = join(root, 'drafts', ID);
  assert.equal(await readFile(file, 'utf8'), '0123');
  await utimes(file, 0, 0);
  const later = await openFsStore(root);
  assert.equal(await later.drafts.offset(ID), 4);
  const [listed] = await Array.fromAsync(later.drafts.list());
  assert.deepEqual(listed, { id: ID, modifiedAt: new Date(0) });
});

test('fs: a draft resumes in another process, which reads the whole for its SHA-256', async (t) => {
  const root = await folder(t);
  const [first, second] = [await openFsStore(root), await openFsStore(root)];
  await first.drafts.begin(ID);
  await first.drafts.append(ID, 0, text('0123'));
  await second.drafts.append(ID, 4, text('4567'));
  await first.drafts.append(ID, 8, text('89'));
  assert.deepEqual(await first.drafts.finish(ID), { size: 10, sha256: sha256(Buffer.from('0123456789')) });
  assert.deepEqual(await readdir(join(root, 'drafts')), []);
});

test('fs: a draft restarted elsewhere does not get the SHA-256 of its former bytes', async (t) => {
  const root = await folder(t);
  const [first, second] = [await openFsStore(root), await openFsStore(root)];
  await first.drafts.begin(ID);
  await first.drafts.append(ID, 0, text('0123'));
  await second.drafts.begin(ID);
  await second.drafts.append(ID, 0, text('abcd'));
  await first.drafts.append(ID, 4, text('efgh'));
  assert.equal((await first.drafts.finish(ID)).sha256, sha256(Buffer.from('abcdefgh')));
});

test('fs: drafts on a disk that is gone are unavailable, not absent', async (t) => {
  const root = await folder(t);
  const { drafts } = await openFsStore(root);
  await drafts.begin(ID);
  await rename(join(root, 'drafts'), join(root, 'elsewhere'));
  for (const use of [
    () => drafts.begin(ID),
    () => drafts.offset(ID),
    () => drafts.append(ID, 0, text('x')),
    () => drafts.finish(ID),
    () => drafts.drop(ID),
    () => Array.fromAsync(drafts.list()),
  ]) {
    await rejectsWith('unavailable', use());
  }
});

async function folder(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'platen-storage-'));
  t.after(() => rm(root, { recursive: true }));
  return root;
}
