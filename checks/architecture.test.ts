import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { test } from 'node:test';
import { bans } from './bans.ts';
import { rooms } from './rooms.ts';
import { readSource, sourcesOf, type Source } from './source.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces: string[] };
const sources = new Map(manifest.workspaces.map((room) => [room, sourcesOf(room)]));
const all = [...sources.values()].flat();

test('every room of the house is a workspace, and there are files to look at', () => {
  assert.deepEqual(
    Object.keys(rooms).filter((room) => !sources.has(room)),
    [],
  );
  assert.ok(all.length > 20 && all.some((source) => source.imports.length > 5));
});

for (const [room, { imports, maker, computedImports }] of Object.entries(rooms)) {
  test(`${room} imports only itself${imports.map((it) => `, ${it}`).join('')}`, (t) => {
    const files = filesOf(room, t.skip.bind(t));
    assert.deepEqual(
      files.flatMap(({ path, imports: targets }) => {
        const allowed =
          maker && path.startsWith(`${maker.folder}/`) ? [...imports, ...maker.imports] : imports;
        return targets
          .filter((target) => !(target === '(computed)' && computedImports?.includes(path)))
          .filter((target) => !isWithin(target, room) && !allowed.some((it) => allows(it, target)))
          .map((target) => `${path} → ${target}`);
      }),
      [],
    );
  });
}

for (const [room, { readsEnvironment = [] }] of Object.entries(rooms)) {
  const readers = readsEnvironment.length
    ? `only ${readsEnvironment.join(' and ')} may read`
    : 'nothing reads';
  test(`in ${room} ${readers} the environment`, (t) => {
    const files = filesOf(room, t.skip.bind(t)).filter((it) => it.readsEnvironment);
    assert.deepEqual(
      files.map((it) => it.path).filter((path) => !readsEnvironment.includes(path)),
      [],
    );
  });
}

for (const [room, { areas, maker }] of Object.entries(rooms)) {
  if (!areas) continue;
  const levels = new Map(
    areas.flatMap((level, index) => Object.keys(level).map((area) => [area, index] as const)),
  );
  const areaOf = (path: string) => path.split('/')[1]!;
  const levelOf = (area: string) => levels.get(area) ?? (area.includes('.') ? undefined : levels.get('*'));
  const files = (sources.get(room) ?? []).filter(({ path }) => !path.startsWith(`${maker?.folder}/`));

  test(`every area of ${room} has a level`, () => {
    const names = new Set(files.map(({ path }) => areaOf(path)).filter((name) => !name.endsWith('.d.ts')));
    assert.deepEqual(
      [...names].filter((name) => levelOf(name) === undefined),
      [],
    );
    assert.deepEqual(
      [...levels.keys()].filter((area) => area !== '*' && !names.has(area)),
      [],
    );
  });

  test(`an area of ${room} imports only areas of lower levels`, () => {
    const isAgainst = (from: string, to: string) => from !== to && !(levelOf(to)! < levelOf(from)!);
    const arrows = files.flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.startsWith(`${room}/`) && levelOf(areaOf(target)) !== undefined)
        .map((target) => [path, target] as const),
    );
    assert.ok(arrows.length > 100);
    assert.deepEqual(
      arrows
        .filter(([from, to]) => isAgainst(areaOf(from), areaOf(to)))
        .map(([from, to]) => `${from} → ${to}`),
      [],
    );
  });

  test(`no files of ${room} import each other in a circle`, () => {
    assert.deepEqual(circlesOf(files), []);
  });
}

for (const ban of bans) {
  test(ban.rule, (t) => {
    const files = all.filter(
      ({ path }) => matchesGlob(path, ban.files) && !(ban.except && matchesGlob(path, ban.except)),
    );
    if (files.length === 0) return t.skip(`there is no ${ban.files} yet`);
    assert.deepEqual(
      files.flatMap(({ path, imports }) =>
        imports
          .filter((target) => target !== path && ban.never.some((it) => matchesGlob(target, it)))
          .map((target) => `${path} → ${target}`),
      ),
      [],
    );
  });
}

test('files and folders are named in kebab-case', () => {
  const names = manifest.workspaces.flatMap((room) =>
    globSync(`${room}/**/*.{ts,js,mjs,sql}`, { exclude: ['**/node_modules/**', '**/dist/**'] }),
  );
  assert.ok(names.length > 20);
  const kebab = /^([a-z0-9]+(-[a-z0-9]+)*[/\\])*[a-z0-9_]+(-[a-z0-9]+)*(\.(test|component|config|d))?\.\w+$/;
  assert.deepEqual(
    names.filter((name) => !kebab.test(name)),
    [],
  );
});

test('the reader sees every way to import', () => {
  const source = readSource(
    'server/apps/routes.ts',
    `import type { A } from './store.ts';
     import '@platen/contract/apps';
     import { readFile } from 'node:fs';
     export * from '../http/reply.ts';
     export { b } from 'kysely';
     const c = await import('../../geo/c.ts');
     const d = await import(\`pg/\${c}\`);
     const e = await import(c);
     type F = import('fastify').F;
     const g = import.meta.resolve('pino');
     const h = require('ajv');`,
  );
  assert.deepEqual(source.imports.toSorted(), [
    '(computed)',
    'ajv',
    'contract/apps.ts',
    'fastify',
    'geo/c.ts',
    'kysely',
    'node:fs',
    'pg/',
    'pino',
    'server/apps/store.ts',
    'server/http/reply.ts',
  ]);
});

test('the reader sees every way to read the environment', () => {
  const reads = (code: string) => readSource('a.ts', code).readsEnvironment;
  for (const code of [
    'const a = process.env.HOME;',
    "const a = process['env'];",
    'const { env } = process;',
    'const { env: { HOME } } = process;',
    'const { pid, ...rest } = process;',
    'const a = globalThis.process.env;',
    "import { env } from 'node:process';",
    "import { env as e } from 'process';",
    "import p from 'node:process'; p.env;",
    "import * as p from 'node:process'; p.env;",
  ]) {
    assert.equal(reads(code), true, code);
  }
  for (const code of ['const a = process.pid;', 'const env = readConfig().env;', '// process.env']) {
    assert.equal(reads(code), false, code);
  }
});

test('a file that cannot be parsed is an error', () => {
  assert.throws(() => readSource('a.ts', 'import { from'), /a\.ts/);
});

test('the script of a Vue component is read', () => {
  const vue = '<template><b>import</b></template>\n<script setup lang="ts">\nimport a from "vue";\n</script>';
  assert.deepEqual(readSource('web/a.vue', vue).imports, ['vue']);
});

test('circles of imports are found', () => {
  const file = (path: string, ...imports: string[]) => ({ path, imports, readsEnvironment: false });
  assert.deepEqual(circlesOf([file('a', 'b', 'd'), file('b', 'c'), file('c', 'a', 'd'), file('d', 'vue')]), [
    'a → b → c → a',
  ]);
});

/** Each import that leads back to a file on the way to it, with that way. */
function circlesOf(files: readonly Source[]): string[] {
  const imports = new Map(files.map((file) => [file.path, file.imports]));
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
    if (way.includes(path) || done.has(path)) return;
    for (const target of imports.get(path) ?? []) if (target !== path) visit(target, [...way, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return circles;
}

function filesOf(room: string, skip: (reason: string) => void): Source[] {
  const files = sources.get(room) ?? [];
  if (files.length === 0) skip(`${room} has no file yet`);
  return files;
}

function allows(pattern: string, target: string): boolean {
  return pattern.endsWith('*') ? target.startsWith(pattern.slice(0, -1)) : isWithin(target, pattern);
}

/** `geo/pmtiles` holds `geo/pmtiles.ts` and `geo/pmtiles/header.ts`. */
function isWithin(target: string, folder: string): boolean {
  return target === folder || target === `${folder}.ts` || target.startsWith(`${folder}/`);
}
