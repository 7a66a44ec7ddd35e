import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { bundledNames, bundleIfMissing, findBundle } from './packages.ts';

test('all that we import from bundled packages is in the bundle: otherwise a module would exist twice', () => {
  const packages = new Set(bundledNames.map((name) => name.split('/')[0]!));
  const files = globSync(
    '{client,confinement,contract,egress,formats,geo,processing,runner,server,storage}/**/*.ts',
    {
      exclude: ['**/node_modules/**'],
    },
  );
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '([^'.][^']*)'/g)].map(([, name]) => name!),
  );
  const used = new Set(imported.filter((name) => packages.has(name.split('/')[0]!)));
  assert.deepEqual([...used].toSorted(), bundledNames.toSorted());
});

test('a process that loads the bundle first has what the packages export, in a handful of modules', async () => {
  await bundleIfMissing();
  assert.notEqual(await findBundle(), undefined);
  const code = `
    const names = ${JSON.stringify(bundledNames)};
    const exported = await Promise.all(names.map(async (name) => Object.keys(await import(name)).toSorted()));
    console.log(JSON.stringify([exported, names.map((name) => import.meta.resolve(name))]));`;
  const run = async (...options: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      ...options,
      '--input-type=module',
      '--eval',
      code,
    ]);
    return JSON.parse(stdout) as [string[][], string[]];
  };
  const [plain] = await run();
  const [bundled, places] = await run(`--import=${new URL('load.ts', import.meta.url).href}`);
  assert.deepEqual(bundled, plain);
  for (const place of places) assert.match(place, /\/build\/packages\//);
});
