import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytesOf } from '../bytes/unpacked-bytes.ts';
import { findVerticalCrs } from '../crs/find-vertical-crs.ts';
import { openGeoid, type GeoidOptions } from './open-geoid.ts';
import { makeGrid, writeGtx } from './testing-grids.ts';

const open = (code: string, options?: GeoidOptions) => openGeoid(findVerticalCrs(code)!, options);
const frankfurt = [8.6, 50.1] as const;

test('heights get the grid of their country, older ones the same with a note, and others EGM96 with the error to expect', async () => {
  for (const [code, name, accuracy, note] of [
    ['EPSG:7837', 'GCG2016', 0.02, undefined],
    ['EPSG:25832+5783', 'GCG2016', 0.08, /DHHN92 height are computed with GCG2016.* off by 0\.08 m/],
    ['EPSG:5773', 'EGM96', 1, undefined],
    ['EPSG:7415', 'NLGEO2018', 0.01, undefined],
    ['EPSG:5728', 'CHGeo2004 (LN02)', 0.1, undefined],
    ['EPSG:3855', 'EGM96', 1.5, /no geoid grid for EGM2008 height is available, so EGM96 .* off by 1\.5 m/],
    ['EPSG:6360', 'EGM96', 2, /NAVD88 height \(ftUS\).* off by 2 m/],
    ['EPSG:5861', 'EGM96', 3, /LAT depth/],
  ] as const) {
    const opened = await open(code);
    assert.equal(opened.name, name, code);
    assert.ok(Math.abs(opened.accuracyMetres! - accuracy) < 1e-9, code);
    assert.equal(opened.notes.length, note === undefined ? 0 : 1, code);
    if (note !== undefined) assert.match(opened.notes[0]!.message, note);
    const metres = opened.geoid.undulation(...frankfurt);
    assert.ok(metres > 40 && metres < 55, `${code}: ${metres}`);
  }
  const german = await open('EPSG:7837');
  assert.equal(german.geoid.undulation(...frankfurt).toFixed(2), '47.85');
  assert.equal(german.outsideMetres, 1.5);
});

test('grids of a folder come before those that are shipped, where they are for the heights and cover the data', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-geoids-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const alaska = { west: -170, north: 70, lonStep: 1, latStep: 1 };
  await writeFile(join(folder, 'a-g2012ba0.gtx'), writeGtx(makeGrid(() => 1, alaska)));
  await writeFile(join(folder, 'g2018u0.gtx'), writeGtx(makeGrid(() => -33)));
  await writeFile(join(folder, 'egm08_25.gtx'), 'not a grid');
  await writeFile(join(folder, 'notes.txt'), '');
  await mkdir(join(folder, 'unreadable.tif'));
  await symlink('nowhere', join(folder, 'vanished.gtx'));
  const box = [8, 50, 9, 51] as const;
  const survey = await open('EPSG:6360', { folder, box });
  assert.deepEqual([survey.name, survey.accuracyMetres, survey.notes], ['g2018u0.gtx', undefined, []]);
  assert.equal(survey.geoid.undulation(...frankfurt), -33);
  const egm2008 = await open('EPSG:3855', { folder, box });
  assert.match(egm2008.notes[0]!.message, /the grid egm08_25\.gtx cannot be used: it is cut off/);
  const far = await open('EPSG:5703', { folder, box: [100, 0, 101, 1] });
  assert.match(far.notes[0]!.message, /covers another region: -170° to -166° east/);
  await rm(join(folder, 'a-g2012ba0.gtx'));
  await rm(join(folder, 'egm08_25.gtx'));
  const unreadable = await open('EPSG:5773', { folder });
  assert.equal(unreadable.name, 'EGM96');
  const unknown = await open('EPSG:3855', { folder });
  assert.match(unknown.notes[0]!.message, /the grid unreadable\.tif cannot be used: EISDIR/);
  const missing = await open('EPSG:5703', { folder: join(folder, 'missing') });
  assert.match(missing.notes[0]!.message, /folder of PLATEN_GEOIDS cannot be read: ENOENT/);
});

test('a grid that is given counts for any heights, and one that cannot be used is an error', async () => {
  const file = { name: 'own.gtx', bytes: bytesOf(writeGtx(makeGrid(() => 12))) };
  const own = await open('EPSG:7837', { file });
  assert.deepEqual([own.name, own.geoid.undulation(...frankfurt)], ['own.gtx', 12]);
  await assert.rejects(
    open('EPSG:7837', { file, box: [100, 0, 101, 1] }),
    /^BytesError: The geoid grid own\.gtx cannot be used: it covers another region/,
  );
});
