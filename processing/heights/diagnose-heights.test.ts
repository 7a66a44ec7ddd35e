import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { diagnoseHeights, type HeightEvidence } from './diagnose-heights.ts';
import { compareGround, cornersWithin, maxCorners } from './ground-heights.ts';
import { productOfName } from './product-heights.ts';

const here = { fileName: 'heights.tif', place: [8.6, 50.1], undulation: 46.6 } as const;
const diagnose = (evidence: Partial<HeightEvidence>) => diagnoseHeights({ ...here, ...evidence });

test('what the file says counts, and the map would show sea-level heights too low', () => {
  assert.deepEqual(diagnose({ vertical: findVerticalCrs('EPSG:7837') }), {
    vertical: 'EPSG:7837',
    confidence: 0.95,
    reason: 'The file says that its heights count from the zero of DHHN2016 height.',
    undulation: 46.6,
    consequence: 'Shown as they are, the map would show them 46.6 m too low.',
    options: {},
    asks: false,
  });
  const ellipsoidal = diagnose({ vertical: findVerticalCrs('EPSG:4979') });
  assert.deepEqual([ellipsoidal.vertical, ellipsoidal.consequence], ['ellipsoid', undefined]);
  assert.match(diagnose({ fileName: 'N10E079.hgt', undulation: -98 }).consequence!, /98\.0 m too high/);
});

test('products are known by the names of their files', () => {
  for (const [name, vertical] of [
    ['N49E011.hgt', '5773'],
    ['n49e011.SRTMGL1.hgt.zip', '5773'],
    ['Copernicus_DSM_COG_10_N49_00_E011_00_DEM.tif', '3855'],
    ['ALPSMLC30_N049E011_DSM.tif', '5773'],
    ['N049E011_AVE_DSM.tif', '5773'],
    ['ASTGTMV003_N49E011_dem.tif', '5773'],
    ['TDM1_DEM__30_N49E011_DEM.tif', 'ellipsoid'],
    ['swissalti3d_2019_2573-1085_0.5_2056_5728.tif', '5728'],
    ['RGEALTI_FXX_0930_6675_MNT_LAMB93_IGN69.asc', '5720'],
    ['folder/USGS_13_n40w106_20220101.tif', '5703'],
    ['M_25GN1.TIF', '5709'],
    ['my heights.tif', undefined],
    ['N049E011_AVE_DSM', '5773'],
  ] as const)
    assert.equal(productOfName(name)?.vertical, vertical, name);
});

test('heights of a national CRS are usually those of its country, where it is in this country', () => {
  const german = diagnose({ crsCode: 'EPSG:25832' });
  assert.deepEqual(
    [german.vertical, german.asks, german.options],
    ['EPSG:7837', false, { vertical: 'EPSG:7837' }],
  );
  assert.match(german.reason, /data in EPSG:25832 are usually DHHN2016 heights \(EPSG:7837\)/);
  const italian = diagnose({ crsCode: 'EPSG:25832', place: [11, 44] });
  assert.deepEqual([italian.vertical, italian.confidence, italian.asks], [undefined, 0, true]);
  assert.equal(diagnose({ crsCode: 'EPSG:25830', place: [-3.7, 40.4] }).vertical, 'EPSG:5782');
  assert.equal(diagnose({ crsCode: 'EPSG:28992', place: [5, 52] }).vertical, 'EPSG:5709');
});

test('water at 0 or at the height of the geoid says what heights count from', () => {
  const flat = (height: number, share = 0.3) => diagnose({ flat: { height, share } });
  assert.deepEqual([flat(-0.4).vertical, flat(-0.4).asks], ['EPSG:5773', false]);
  assert.deepEqual([flat(47.2).vertical, flat(47.2).asks], ['ellipsoid', false]);
  assert.equal(flat(0).asks, true, 'a 0 may be a fill');
  assert.equal(flat(-0.4, 0.01).vertical, undefined);
  assert.equal(flat(300).vertical, undefined, 'a lake');
  assert.equal(diagnose({ flat: { height: 1, share: 0.3 }, undulation: 2 }).vertical, undefined);
});

const corners = cornersWithin([8.5, 50, 8.7, 50.2]);
const ground = (shift: number, scale = 1) => ({
  corners: corners.map(([lon, lat], i) => ({ lon, lat, height: (100 + (i % 17) * 9 + shift) * scale })),
});

test('ground heights of other data of the project show what is meant otherwise, and feet', () => {
  const terrain = { ...ground(46.6), kind: 'ellipsoid', name: 'Terrain' } as const;
  const low = diagnose({ ground: ground(0), others: [terrain], crsCode: 'EPSG:25832' });
  assert.equal(low.vertical, 'EPSG:7837');
  assert.ok(low.confidence > 0.95);
  assert.match(low.reason, /share.* with Terrain, its ground is 46\.6 m lower, which is the distance/);
  assert.equal(diagnose({ ground: ground(46), others: [terrain] }).vertical, 'ellipsoid');
  assert.equal(diagnose({ ground: ground(20), others: [terrain] }).vertical, undefined);
  const above = diagnose({ ground: ground(46.6), others: [{ ...ground(0), kind: 'seaLevel', name: 'DEM' }] });
  assert.equal(above.vertical, 'ellipsoid');
  const feet = diagnose({
    ground: ground(0, 3.2808),
    others: [{ ...ground(0), kind: 'seaLevel', name: 'DEM' }],
    crsCode: 'EPSG:25832',
  });
  assert.deepEqual(feet.options, { vertical: 'EPSG:7837', unit: 'foot' });
  assert.match(feet.reason, /3\.2808 times as high: its heights are in feet/);
});

test('where the ground contradicts the file, the form asks', () => {
  const others = [{ ...ground(46.6), kind: 'ellipsoid', name: 'Terrain' } as const];
  const contradiction = diagnose({
    vertical: findVerticalCrs('EPSG:7837'),
    ground: ground(46.6),
    others,
  });
  assert.equal(contradiction.asks, true);
  assert.match(contradiction.reason, /The file says .*But: At \d+ places/);
});

test('corners are those of a power-of-two grid, so that data sets that overlap share some', () => {
  for (const box of [
    [8.5, 50, 8.7, 50.2],
    [-180, -90, 180, 90],
    [8.512, 50.001, 8.513, 50.002],
  ] as const)
    assert.ok(cornersWithin(box).length <= maxCorners, box.join());
  assert.ok(corners.length > 60);
  const wide = cornersWithin([8, 49, 9, 51]);
  const keys = new Set(corners.map((corner) => corner.join()));
  assert.ok(wide.filter((corner) => keys.has(corner.join())).length >= 3);
  const one = { corners: [{ lon: 8, lat: 50, height: 1 }] };
  assert.equal(compareGround(one, one), undefined);
  assert.equal(compareGround({ corners: [] }, ground(0)), undefined);
});
