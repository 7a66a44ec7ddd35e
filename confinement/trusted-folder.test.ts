import assert from 'node:assert/strict';
import { chmod, chown, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { isOwnFolder, isTrustedFolder, makePrivateFolder } from './trusted-folder.ts';

const isRoot = process.getuid?.() === 0;

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-trusted-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('a private folder is made with its parents, and is used again', async (t) => {
  const data = join(await folderFor(t), 'data');
  const [cache, folder] = [join(data, 'cache'), join(data, 'cache', 'node')];
  for (let start = 0; start < 2; start++) {
    assert.equal(await makePrivateFolder(folder, [data, cache]), undefined);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  }
});

test('a folder that others can write to is refused, and so is one in a folder of others, or a link', async (t) => {
  const data = await folderFor(t);
  const folder = join(data, 'node');
  await mkdir(folder);
  await chmod(folder, 0o770);
  assert.match((await makePrivateFolder(folder, [data])) ?? '', /node belongs to another user, .* or other/);
  await chmod(folder, 0o700);
  assert.equal(await makePrivateFolder(folder, [data]), undefined);
  await chmod(data, 0o777);
  assert.match((await makePrivateFolder(folder, [data])) ?? '', /platen-trusted-\w+ belongs to another user/);
  await chmod(data, 0o1777); // users cannot replace each other's folders there, but anybody can be first
  assert.notEqual(await makePrivateFolder(folder, [data]), undefined);
  await chmod(data, 0o700);
  await symlink(folder, join(data, 'link'));
  assert.notEqual(await makePrivateFolder(join(data, 'link'), [data]), undefined);
});

test(
  'a folder of another user is refused',
  { skip: !isRoot && 'only root can give folders away' },
  async (t) => {
    const data = await folderFor(t);
    const folder = join(data, 'node');
    await mkdir(folder, { mode: 0o700 });
    await chown(folder, 12_345, 12_345);
    assert.notEqual(await makePrivateFolder(folder, [data]), undefined);
    assert.deepEqual([await isOwnFolder(folder), await isTrustedFolder(folder)], [false, false]);
  },
);

test('the code of the installation is trusted, the temporary folder is not', async () => {
  assert.equal(await isTrustedFolder(import.meta.dirname), true);
  assert.equal(await isTrustedFolder('/tmp'), false);
});
