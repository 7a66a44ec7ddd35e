import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInstalledRegister, openPackedRegister, packRegister } from './register.ts';

test('the packed register has every entry of the package', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-epsg-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await packRegister(folder);
  const packed = openPackedRegister(folder);
  const installed = openInstalledRegister()!;
  const all = installed.readAll();
  assert.ok(all.length > 8000);
  assert.deepEqual(packed.readAll(), all);
  for (const { code } of all.filter((_, at) => at % 100 === 0))
    assert.deepEqual(JSON.parse(packed.read(code)!), JSON.parse(installed.read(code)!), code);
  assert.equal(packed.read('99999'), undefined);
  assert.equal(packed.read('constructor'), undefined);
});

test('a folder in which nothing was packed is an error', () => {
  assert.throws(() => openPackedRegister('/nowhere'), /ENOENT/);
});
