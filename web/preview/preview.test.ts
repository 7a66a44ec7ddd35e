import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExpression } from '@maplibre/maplibre-gl-style-spec';
import type { Inspection } from '@platen/contract/inspect';
import type { Feature } from 'geojson';
import { colourBy, numericFields, ramps, rangeOf, ticksOf, tickText } from './colour-by.ts';
import { isBeyondMaps, nextSteps } from './next-steps.ts';

const feature = (properties: Record<string, unknown>) =>
  ({ type: 'Feature', properties, geometry: null }) as unknown as Feature;
const stations = Array.from({ length: 100 }, (_, i) =>
  feature({ id: i, no2: i === 99 ? 1e6 : i, name: `S${i}`, same: 1, mixed: i % 2 ? i : 'x' }),
);

test('features are coloured by fields that hold different numbers, but not by an identifier', () => {
  assert.deepEqual(numericFields(stations), ['no2']);
  const row = (i: number) => feature({ 'Baum-Nr': i, objectId: i, OBJECTID: i, plz: i, paid: i, Höhe: i });
  assert.deepEqual(numericFields([row(1), row(2)]), ['paid', 'Höhe']);
});

test('the legend names whole numbers for whole numbers, and years as years, whatever the field is called', () => {
  assert.deepEqual(ticksOf({ from: 1, to: 6 }), [1, 3, 4, 6]);
  assert.deepEqual(ticksOf({ from: 1, to: 2 }), [1, 2]);
  const format = (value: number, options: object) => new Intl.NumberFormat('en-GB', options).format(value);
  assert.deepEqual(
    [1987, 2020, 0, -9999, 12_345, 1990.5, 0.12345].map((value) => tickText(value, format)),
    ['1987', '2020', '0', '-9999', '12.3k', '1.99k', '0.123'],
  );
});

test('a value far off does not take all the colours', () => {
  const range = rangeOf(stations, 'no2')!;
  assert.ok(range.from >= 0 && range.to < 100);
  assert.equal(rangeOf(stations, 'name'), undefined);
  assert.deepEqual(ticksOf({ from: 0, to: 30 }), [0, 10, 20, 30]);
});

test('the colours follow the numbers, and what has none is grey', () => {
  const expression = createExpression(
    colourBy('no2', { from: 0, to: 40 }, { ramp: ramps.light, none: '#888888' }),
    'layers[0].paint.circle-color',
  );
  assert.equal(expression.result, 'success');
  const evaluate = (properties: object) =>
    String(
      (expression.value as { evaluate(z: object, f: object): unknown }).evaluate({ zoom: 1 }, { properties }),
    );
  assert.notEqual(evaluate({ no2: 0 }), evaluate({ no2: 40 }));
  assert.equal(evaluate({ no2: 40 }), evaluate({ no2: 1000 }));
  assert.equal(evaluate({ no2: 'x' }), evaluate({}));
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
