import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { cogRecipe } from '@platen/formats/geotiff/cog-recipe';
import { findJobSpec } from '@platen/processing/catalog';
import { afterFile } from '../../../checks/clean-up.ts';
import { checkFlatGeobuf } from './flatgeobuf.ts';
import { checkCog } from './geotiff.ts';

const run = promisify(execFile);
const hasGdal = ['gdal_create', 'gdalwarp', 'gdal_translate', 'ogr2ogr'].every((tool) => {
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

async function refusalOf(check: typeof checkCog, name: string): Promise<string | undefined> {
  const bytes = await readFile(join(folder, name));
  try {
    await check(async (offset, length) => bytes.subarray(offset, offset + length));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const place = '-a_srs EPSG:25833 -a_ullr 390000 5820000 390300 5819800';
const red = `gdal_create -q -of GTiff -outsize 300 200 -bands 3 -burn 200 -burn 30 -burn 30 ${place}`;

test('the commands that a refused GeoTIFF names make one that is accepted', { skip }, async (t) => {
  for (const [what, command] of [
    ['strips in UTM', `${red} in.tif`],
    ['a value for no data', `${red} -a_nodata 0 in.tif`],
    ['Web Mercator without alpha', `${red} -a_srs EPSG:3857 -co TILED=YES in.tif`],
    ['ZSTD', `${red} -co COMPRESS=ZSTD -co TILED=YES in.tif`],
    ['a mask', `${red} full.tif; gdal_translate -q -mask 1 full.tif in.tif`],
  ] as const)
    await t.test(what, async () => {
      await shell(`rm -f *.tif *.msk; ${command}`);
      const refusal = await refusalOf(checkCog, 'in.tif');
      const repair = /gdalwarp .*/.exec(refusal ?? '')?.[0];
      assert.ok(repair, refusal ?? 'accepted');
      await shell(repair);
      assert.equal(await refusalOf(checkCog, 'out.tif'), undefined);
    });
});

test('the commands for an image with a world file make a GeoTIFF that is accepted', { skip }, async () => {
  await shell(
    `rm -f *.tif; ${red} a.tif; gdal_translate -q -of PNG -co WORLDFILE=YES a.tif in.png; rm -f in.png.aux.xml`,
  );
  await shell(cogRecipe('in.png', 'EPSG:25833'));
  assert.equal(await refusalOf(checkCog, 'out.tif'), undefined);
});

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
