import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyEngines, copyTools } from './build-engines.ts';
import { findEngines, installedEngines, packagedEngines } from './engines.ts';
import { buildScripts, scriptBody } from './script-source.ts';
import { findTools, installedTools, packagedTools } from './tools.ts';
import { afterFile } from '../checks/clean-up.ts';

const root = await mkdtemp(join(tmpdir(), 'platen-build-'));
afterFile(() => rm(root, { recursive: true, force: true }));

test('engines are copied without their own pages and source maps, and the same content once', async () => {
  const folder = join(root, 'engines');
  await copyEngines(folder);
  for (const { alias, version, folder: from } of packagedEngines()) {
    const copy = join(folder, alias);
    assert.deepEqual(JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')), { version });
    const names = (await readdir(join(copy, 'dist'), { recursive: true })).toSorted();
    const served = (await readdir(from, { recursive: true }))
      .filter((name) => name !== 'index.html' && !name.endsWith('.map'))
      .toSorted();
    assert.deepEqual(names, served);
    const name = join('assets', 'ui.js');
    assert.deepEqual(await readFile(join(copy, 'dist', name)), await readFile(join(from, name)));
  }
});

test('copies stay where no package is installed to copy from', async () => {
  const folder = join(root, 'kept');
  await copyEngines(folder);
  const before = await readdir(folder);
  await assert.rejects(copyEngines(folder, []), /npm ci/);
  assert.deepEqual(await readdir(folder), before);
});

test('engines are loaded from the copies if their packages are not installed', () => {
  assert.deepEqual(findEngines({ built: join(root, 'engines') }), installedEngines());
  const copied = findEngines({ built: join(root, 'engines'), packaged: [] });
  assert.deepEqual(
    copied.map(({ version }) => version),
    installedEngines().map(({ version }) => version),
  );
  assert.ok(copied.every(({ folder }) => folder.startsWith(root)));
  assert.deepEqual(findEngines({ built: join(root, 'nothing'), packaged: [] }), []);
});

test('tools are copied, and loaded from the copies if their packages are not installed', async () => {
  const folder = join(root, 'tools');
  await copyTools(folder);
  await assert.rejects(copyTools(folder, []), /npm ci/);
  assert.deepEqual(findTools({ built: folder }), installedTools());
  const copied = findTools({ built: folder, packaged: [] });
  assert.equal(copied.length, 8);
  for (const [index, { folder: from, ...tool }] of packagedTools().entries()) {
    const { folder: copy, ...same } = copied[index]!;
    assert.deepEqual(same, tool);
    assert.ok(copy.startsWith(folder));
    const script = join('dist', 'index.js');
    assert.deepEqual(await readFile(join(copy, script)), await readFile(join(from, script)));
  }
  assert.deepEqual(findTools({ built: join(root, 'nothing'), packaged: [] }), []);
});

test('scripts are taken from the build, unless it was made from other sources', async () => {
  const folder = join(root, 'scripts');
  const stripped = scriptBody('start', join(root, 'nothing'));
  await buildScripts(folder);
  assert.equal(scriptBody('start', folder), stripped);
  for (const name of await readdir(folder)) await writeFile(join(folder, name), 'built');
  assert.equal(scriptBody('start', folder), 'built');
  for (const name of await readdir(folder)) await rm(join(folder, name));
  assert.equal(scriptBody('start', folder), stripped);
});
