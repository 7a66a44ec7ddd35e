import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExpression } from '@maplibre/maplibre-gl-style-spec';
import type { Inspection } from '@platen/contract/inspect';
import type { Feature } from 'geojson';
import { colourBy } from '@platen/styles/style-attribute';
import { isBeyondMaps, nextSteps } from './next-steps.ts';
import { attributesOf, coloursOf } from './preview-colours.ts';

const feature = (properties: Record<string, unknown>) =>
  ({ type: 'Feature', properties, geometry: null }) as unknown as Feature;
const stations = Array.from({ length: 100 }, (_, i) =>
  feature({ id: i, no2: i === 99 ? 1e6 : i, name: `S${i}`, same: 1, kind: i % 2 ? 'traffic' : 'background' }),
);

test('features can be coloured by what tells them apart in groups: classes first, no identifiers and no names', () => {
  assert.deepEqual(
    attributesOf(stations).map(({ name }) => name),
    ['kind', 'no2'],
  );
  const row = (i: number) => feature({ 'Baum-Nr': i, objectId: i, OBJECTID: i, plz: i, paid: i, Höhe: i });
  assert.deepEqual(
    attributesOf([row(1), row(2)]).map(({ name }) => name),
    ['paid', 'Höhe'],
  );
});

/** What MapLibre makes of a colour for the properties of a feature. */
function painted(colour: unknown, properties: object): string {
  const expression = createExpression(colour, 'layers[0].paint.circle-color');
  assert.equal(expression.result, 'success');
  const value = expression.value as { evaluate(zoom: object, feature: object): unknown };
  return String(value.evaluate({ zoom: 1 }, { properties }));
}

test('the colours follow the values, and a value far off does not take all of them', () => {
  const no2 = attributesOf(stations).find(({ name }) => name === 'no2')!;
  const { colour, edge } = coloursOf(colourBy(no2));
  assert.notEqual(painted(colour, { no2: 0 }), painted(colour, { no2: 98 }));
  assert.equal(painted(colour, { no2: 98 }), painted(colour, { no2: 1e6 }));
  assert.notEqual(painted(colour, { no2: 0 }), painted(edge, { no2: 0 }));
  assert.equal(painted(colour, { no2: 'x' }), painted(colour, {}));
});

const file = { dataBucketId: 'b', dataBucketKey: 'k' };
const use = (kind: 'datasource' | 'job', type: string) => ({ kind, type, confidence: 1, reason: 'r' });
const layer = { name: 'l', geometryTypes: ['Point'], isEstimated: false, isBboxEstimated: false, fields: [] };
const inspection = (more: Partial<Inspection>): Inspection => ({
  key: 'k',
  size: 100,
  format: 'geojson',
  kind: 'vector',
  layers: [{ ...layer, bbox: [1, 2, 3, 4] }],
  issues: [],
  uses: [use('job', 'platenTilesVector'), use('datasource', 'geojson')],
  ...more,
});
const mapJob = 'platenTilesVector';
const all = { mapJob, mayPublish: true, mayCreateDatasources: true, mayRunJobs: true };
const ids = (inspection: Inspection, may = all) => nextSteps(inspection, file, may).map(({ id }) => id);

test('the recommended use is the map; forbidden uses are not offered', () => {
  assert.deepEqual(ids(inspection({})), ['publish', 'datasource', 'job']);
  assert.deepEqual(ids(inspection({}), { ...all, mayPublish: false }), ['job', 'datasource']);
  assert.deepEqual(
    ids(inspection({}), { mapJob, mayPublish: false, mayCreateDatasources: false, mayRunJobs: false }),
    [],
  );
});

test('if the coordinate system is unknown, publishing asks for it, and so does converting', () => {
  const open = inspection({ layers: [layer], uses: [] });
  assert.deepEqual(ids(open), ['publish', 'crs']);
});

test('a coordinate system is no step where it does not help: without a georeference, or for data that nothing reads', () => {
  const issue = (code: string) => ({ code, message: 'm', count: 1 });
  const picture: Partial<Inspection> = {
    kind: 'raster',
    layers: [layer],
    uses: [use('datasource', 'generic')],
  };
  assert.deepEqual(ids(inspection({ ...picture, issues: [issue('noGeoreference')] })), ['store']);
  const scans: Partial<Inspection> = { format: 'e57', kind: 'pointCloud', layers: [layer], uses: [] };
  const refused = inspection({ ...scans, issues: [issue('unsupported')] });
  assert.deepEqual(ids(refused), []);
  assert.ok(isBeyondMaps(refused, mapJob));
});

test('what no map can show yet is said, and is not the recommended step', () => {
  const city = inspection({ format: 'cityjson', kind: 'cityModel', uses: [use('datasource', 'generic')] });
  assert.deepEqual(ids(city), ['store']);
  assert.ok(isBeyondMaps(city, undefined));
  assert.ok(isBeyondMaps(inspection({ format: 'geotiff', kind: 'raster', uses: [] }), undefined));
  assert.ok(!isBeyondMaps(inspection({}), mapJob));
  assert.ok(!isBeyondMaps(inspection({ layers: [layer], uses: [] }), mapJob)); // its coordinate system is asked for
  const damaged = [{ code: 'brokenJson', message: 'm', count: 1 }];
  assert.ok(!isBeyondMaps(inspection({ issues: damaged, uses: [] }), mapJob));
});
