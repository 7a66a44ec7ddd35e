import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { findJobSpec } from '@platen/processing/catalog';
import { afterFile } from '../../../checks/clean-up.ts';
import { checkFlatGeobuf } from './flatgeobuf.ts';

const run = promisify(execFile);
const hasGdal = ['ogr2ogr'].every((tool) => {
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});
const skip = !hasGdal && 'SKIPPED: no GDAL here (apt-get install gdal-bin)';
if (skip && process.env['CI'] === 'true') throw new Error(skip);

const folder = await mkdtemp(join(tmpdir(), 'platen-repair-'));
afterFile(() => rm(folder, { recursive: true }));
const shell = (command: string) => run('sh', ['-ec', command], { cwd: folder });

async function refusalOf(check: typeof checkFlatGeobuf, name: string): Promise<string | undefined> {
  const bytes = await readFile(join(folder, name));
  try {
    await check(async (offset, length) => bytes.subarray(offset, offset + length));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test('the command that a refused FlatGeobuf names makes one that is accepted', { skip }, async (t) => {
  const coordinates = [390_000, 5_820_000, 70];
  const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25833' } };
  const feature = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates } };
  await writeFile(
    join(folder, 'a.json'),
    JSON.stringify({ type: 'FeatureCollection', crs, features: [feature] }),
  );
  for (const [what, options] of [
    ['heights', '-t_srs EPSG:4326'],
    ['no index', '-dim XY -t_srs EPSG:4326 -lco SPATIAL_INDEX=NO'],
  ] as const)
    await t.test(what, async () => {
      await shell(`rm -f *.fgb; ogr2ogr -f FlatGeobuf ${options} in.fgb a.json`);
      const refusal = await refusalOf(checkFlatGeobuf, 'in.fgb');
      const repair = /ogr2ogr .*/.exec(refusal ?? '')?.[0];
      assert.ok(repair, refusal ?? 'accepted');
      await shell(repair);
      assert.equal(await refusalOf(checkFlatGeobuf, 'out.fgb'), undefined);
    });
});

test('refusals, inspections and the interface name only job types that exist', () => {
  const files = globSync([
    'server/**/*.ts',
    'processing/**/*.ts',
    'formats/**/*.ts',
    'contract/*.ts',
    'web/**/*.{vue,json,ts}',
    'docs/*.md',
  ]).filter((file) => !/\.test\.ts$|\/testing|node_modules|\/dist\/|made-up/.test(file));
  assert.ok(files.length > 1000);
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bplaten(?:[A-Z][a-z]+)+\b/g)].map(([name]) => ({ file, name })),
  );
  assert.ok(named.some(({ name }) => name === 'platenConvertVector'));
  // of the guide, an attribute, the task by which clients see the clean-up, and translations in maps
  const others = new Set(['platenExtent', 'platenReject', 'platenCleanUp', 'platenBaseMaps']);
  assert.deepEqual(
    named
      .filter(({ name }) => !findJobSpec(name) && !others.has(name))
      .map(({ file, name }) => `${file}: ${name}`),
    [],
  );
});
