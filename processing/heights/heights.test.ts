import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { makeGrid, writeGtx } from '@platen/formats/geoid/testing-grids';
import { Check } from 'typebox/value';
import { HeightOptions } from './height-options.ts';
import { openHeights, withoutGeoid } from './open-heights.ts';

const frankfurt = [8.6, 50.1] as const;

async function open(options: HeightOptions, crs: string | undefined, more: object = {}) {
  const warnings: string[] = [];
  const context = { inputs: [], warn: (code: string) => void warnings.push(code), ...more };
  const vertical = crs === undefined ? undefined : findVerticalCrs(crs);
  const heights = await openHeights(options, { vertical }, context);
  const points = Float64Array.of(...frankfurt, 100);
  heights.toEllipsoid(points, 1);
  return { heights, warnings, metres: points[2]!.toFixed(2) };
}

test('the options are valid for every way to name heights, and for no other', () => {
  for (const options of [
    {},
    { vertical: 'auto' },
    { vertical: 'ellipsoid', offset: -3.5 },
    { vertical: 'EPSG:7837', unit: 'usSurveyFoot', direction: 'down' },
    { vertical: '5773', geoid: 'own.gtx' },
  ])
    assert.ok(Check(HeightOptions, options), JSON.stringify(options));
  for (const options of [{ vertical: 'DHHN2016' }, { vertical: 'EPSG:1' }, { unit: 'yard' }, { offset: 1e6 }])
    assert.ok(!Check(HeightOptions, options), JSON.stringify(options));
});

test('heights count from what the file says, unless an option says otherwise', async () => {
  for (const [options, crs, metres, geoid, codes] of [
    [{}, 'EPSG:25832+7837', '147.85', 'GCG2016', []],
    [{ vertical: 'EPSG:5773' }, 'EPSG:25832+7837', '148.18', 'EGM96', []],
    [{ vertical: 'ellipsoid' }, 'EPSG:25832+7837', '100.00', undefined, []],
    [{ vertical: 'ellipsoid' }, 'EPSG:25832+6360', '30.48', undefined, []],
    [{ offset: -0.5, unit: 'foot' }, 'EPSG:4979', '29.98', undefined, []],
    [{ direction: 'down' }, 'EPSG:7837', '-52.15', 'GCG2016', []],
    [{}, undefined, '148.18', 'EGM96', ['assumedHeights', 'approximateGeoid']],
  ] as const) {
    const opened = await open(options, crs);
    assert.deepEqual(
      [opened.metres, opened.heights.geoid, opened.warnings],
      [metres, geoid, codes],
      JSON.stringify([options, crs]),
    );
  }
});

test('an input can be the geoid grid, and is none of the data then', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-heights-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, '1');
  await writeFile(path, writeGtx(makeGrid(() => 12)));
  const grid = { path, name: 'own.gtx', size: 1 };
  const data = { path: '/data', name: 'dem.tif', size: 1 };
  const options = { geoid: 'own.gtx' };
  const { metres } = await open(options, 'EPSG:7837', { inputs: [data, grid] });
  assert.equal(metres, '112.00');
  assert.deepEqual(withoutGeoid([data, grid], options), [data]);
  await writeFile(path, 'nothing');
  const invalid = { name: 'JobFailure', code: 'invalidOption' };
  await assert.rejects(open(options, 'EPSG:7837', { inputs: [grid] }), {
    ...invalid,
    message: /^The geoid grid own\.gtx cannot be used: it is cut off/,
  });
  await assert.rejects(open(options, 'EPSG:7837', { inputs: [data] }), {
    ...invalid,
    message: '/heights/geoid: none of the inputs is named own.gtx.',
  });
});

test('a code that is no vertical CRS, and an ellipsoid that is not that of WGS 84, are refused', async () => {
  await assert.rejects(open({ vertical: 'EPSG:25832' }, undefined), {
    code: 'invalidOption',
    message: /^\/heights\/vertical: EPSG:25832 is no vertical coordinate system/,
  });
  await assert.rejects(open({}, 'EPSG:9267'), { code: 'unsupported', message: /ellipsoid of MGI/ });
});
