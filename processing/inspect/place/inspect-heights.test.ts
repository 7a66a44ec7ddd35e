import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysRecord, writeLas, wktRecord } from '@platen/formats/las/testing';
import type { HeightDiagnosis } from '../../heights/diagnose-heights.ts';
import { inspectFile, sampleFile } from '../testing-subject.ts';

async function heightsOf(name: string, content: Uint8Array | string) {
  const { layers, uses } = await inspectFile(name, content);
  const heights = layers[0]!.details!['heights'] as HeightDiagnosis | undefined;
  return { heights, reason: uses[0]!.reason, datum: layers[0]!.verticalDatum };
}

const points = [
  { x: 691_000, y: 5_336_000, z: 500 },
  { x: 691_010, y: 5_336_010, z: 512 },
];
const lasIn = (horizontal: number, vertical?: number) =>
  writeLas({
    points,
    records: [
      keysRecord([
        [1024, 0, 1, 1],
        [3072, 0, 1, horizontal],
        ...(vertical === undefined ? [] : [[4096, 0, 1, vertical] as const]),
      ]),
    ],
  });

test('a point cloud that says what its heights count from is told how far off the map would show them', async () => {
  const { heights, reason, datum } = await heightsOf('stated.las', lasIn(25832, 7837));
  assert.deepEqual([heights!.vertical, heights!.options, datum], ['EPSG:7837', {}, 'DHHN2016 height']);
  assert.ok(heights!.undulation > 45 && heights!.undulation < 47, `${heights!.undulation}`);
  assert.match(reason, /zero of DHHN2016 height\. Shown as they are, .* 4[56]\.\d m too low/);
});

test('where a point cloud says nothing, its CRS or the name of the product says what is usual', async () => {
  const usual = await heightsOf('plain.las', lasIn(25832));
  assert.deepEqual([usual.heights!.options, usual.heights!.asks], [{ vertical: 'EPSG:7837' }, false]);
  assert.equal(usual.datum, undefined);
  const product = await heightsOf('USGS_LPC_CA_2020.las', lasIn(32632));
  assert.deepEqual(product.heights!.options, { vertical: 'EPSG:5703' });
  const unsure = await heightsOf('plain.las', lasIn(32632));
  assert.deepEqual([unsure.heights!.vertical, unsure.heights!.asks], [undefined, true]);
  assert.match(unsure.reason, /not certain and must be determined first/);
});

test('the vertical CRS in the WKT of a point cloud is known, too, and named', async () => {
  const wkt = wktRecord(
    'COMPD_CS["a",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]],VERT_CS["EGM2008 height",VERT_DATUM["EGM2008 geoid",2005],UNIT["metre",1]]]',
  );
  const some = [
    { x: 11, y: 48, z: 1 },
    { x: 11.5, y: 48.5, z: 9 },
  ];
  const las = writeLas({ minor: 4, pointFormat: 6, points: some, records: [wkt], isWkt: true });
  const { heights, datum } = await heightsOf('w.las', las);
  assert.deepEqual([heights!.vertical, datum], ['EPSG:3855', 'EGM2008 height']);
});

const cityGml = (srsName: string, x = 691_000, y = 5_336_000) => `<?xml version="1.0"?>
<core:CityModel xmlns:core="http://www.opengis.net/citygml/2.0" xmlns:gml="http://www.opengis.net/gml"
  xmlns:bldg="http://www.opengis.net/citygml/building/2.0"><gml:boundedBy><gml:Envelope srsName="${srsName}" srsDimension="3">
  <gml:lowerCorner>${x} ${y} 500</gml:lowerCorner><gml:upperCorner>${x + 0.001} ${y + 0.001} 512</gml:upperCorner>
  </gml:Envelope></gml:boundedBy><core:cityObjectMember><bldg:Building/></core:cityObjectMember></core:CityModel>`;

test('a city model in a compound CRS, a plane one, and one with ellipsoidal heights', async () => {
  const stated = await heightsOf('a.gml', cityGml('urn:ogc:def:crs,crs:EPSG::25832,crs:EPSG::7837'));
  assert.deepEqual([stated.heights!.vertical, stated.heights!.confidence], ['EPSG:7837', 0.95]);
  assert.match(stated.reason, /convert it to a 3D tileset first\. The file says .* m too low/);
  const usual = await heightsOf('a.gml', cityGml('EPSG:25832'));
  assert.deepEqual(usual.heights!.options, { vertical: 'EPSG:7837' });
  const ellipsoidal = await heightsOf('a.gml', cityGml('EPSG:4979', 11.5, 48.1));
  assert.deepEqual(
    [ellipsoidal.heights!.vertical, ellipsoidal.heights!.consequence],
    ['ellipsoid', undefined],
  );
  const guessed = await heightsOf('a.gml', cityGml(''));
  assert.deepEqual([guessed.heights!.vertical, guessed.heights!.asks], [undefined, true]);
  const nowhere = await heightsOf('a.gml', cityGml('', 1, 2));
  assert.equal(nowhere.heights, undefined);
});

const delft = sampleFile('city/delft.city.json');
test('a town in the Netherlands counts from NAP', { skip: delft.skip }, async () => {
  const { heights } = await heightsOf(delft.name, await delft.read());
  assert.deepEqual([heights!.vertical, heights!.undulation], ['EPSG:5709', 43.5]);
});
