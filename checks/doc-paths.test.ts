import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, matchesGlob, posix } from 'node:path';
import { test } from 'node:test';
import { codeBlocksOf } from './markdown-code.ts';

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .trim()
  .split('\n');
const folders = new Set(tracked.flatMap(parentsOf));
const existing = new Set([...tracked, ...folders]);
const fileNames = new Set(tracked.map((path) => posix.basename(path)));

test('every file of this repository that a document names exists', () => {
  // the changelog, and decisions that were superseded, tell of files that are gone
  const documents = tracked
    .filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md')
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => !/^Superseded by/m.test(text));
  let count = 0;
  const missing = documents.flatMap(({ path, text }) => {
    const created = new Set(codeBlocksOf(text).map(({ attributes }) => attributes['file']));
    return namedPaths(text).flatMap(({ name, line }) => {
      count++;
      return created.has(name) || isFound(name, dirname(path)) ? [] : [`${path}:${line}: ${name}`];
    });
  });
  assert.ok(count > 300, `there are names to look at, not ${count}`);
  assert.deepEqual(missing, []);
});

test('every decision has a number of its own, which is that of its title', () => {
  const decisions = tracked.filter((path) => /^docs\/decisions\/\d{4}-/.test(path));
  assert.ok(decisions.length > 50);
  const numbers = decisions.map((path) => Number(posix.basename(path).slice(0, 4)));
  assert.deepEqual(
    numbers.filter((number, i) => numbers.indexOf(number) !== i),
    [],
  );
  for (const [i, path] of decisions.entries())
    assert.ok(readFileSync(path, 'utf8').startsWith(`# ${numbers[i]}. `), path);
});

test('a document that names a missing file is found', () => {
  const text = 'See `server/http/gone.ts`, `gone.vue` and\n`geo/gone/`, not `style.json` or `a/b`.';
  const names = namedPaths(text);
  assert.deepEqual(names, [
    { name: 'server/http/gone.ts', line: 1 },
    { name: 'gone.vue', line: 1 },
    { name: 'geo/gone', line: 2 },
  ]);
  for (const { name } of names) assert.equal(isFound(name, 'docs'), false, name);
  for (const name of ['server/http', 'doc-paths.test.ts', 'docs/adding-*.md', '../checks/rooms.ts'])
    assert.equal(isFound(name, 'docs'), true, name);
});

/** Words in code style that are paths below a folder of the root, or names of source files. Built folders are left out. */
function namedPaths(text: string): { name: string; line: number }[] {
  const prose = text.replace(/^ *```[^]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, ''));
  return prose
    .split('\n')
    .flatMap((content, i) =>
      [...content.matchAll(/`([\w@./*-]+)`/g)]
        .map(([, name = '']) => ({ name: name.replace(/\/$/, ''), line: i + 1 }))
        .filter(({ name }) => isOurs(name) && !/(^|\/)(dist|node_modules)(\/|$)/.test(name)),
    );
}

function isOurs(name: string): boolean {
  if (/\w\.(ts|vue|sql|md|mjs)$/.test(name)) return true;
  const [first = ''] = name.split('/');
  return name.includes('/') && folders.has(first);
}

/** From the root, from the folder of the document, or anywhere when only its last parts are named. */
function isFound(name: string, folder: string): boolean {
  if (name.includes('*'))
    return tracked.some((path) => matchesGlob(path, name) || matchesGlob(path, posix.join(folder, name)));
  if (!name.includes('/')) return fileNames.has(name);
  return [name, `${name}.ts`, posix.join(folder, name)].some((path) => existing.has(path)) || isTail(name);
}

const isTail = (name: string) => tracked.some((path) => path.endsWith(`/${name}`));

function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === '.' ? [] : [parent, ...parentsOf(parent)];
}
