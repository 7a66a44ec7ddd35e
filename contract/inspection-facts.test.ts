import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from './inspection-facts.ts';
import type { InspectedLayer } from './inspect.ts';

const layer: InspectedLayer = {
  name: 'lamps',
  geometryTypes: ['Point'],
  isEstimated: false,
  isBboxEstimated: false,
  crs: { code: 'EPSG:4326', name: 'WGS 84', isGuessed: false },
  fields: [],
};
const factsWith = (...codes: string[]) =>
  factsOf({
    format: 'geojson',
    layers: [layer],
    issues: codes.map((code) => ({ code, message: '', count: 1 })),
    uses: [],
  });

test('a file that is cut off is damaged, one with other issues is not', () => {
  for (const code of ['brokenJson', 'truncatedFile', 'damagedFile', 'brokenZip'])
    assert.equal(factsWith(code).isDamaged, true, code);
  for (const codes of [[], ['missingCrs'], ['outsideDegrees']])
    assert.equal(factsWith(...codes).isDamaged, undefined, codes.join());
});

test('a few invalid positions do not mean that the coordinate reference system is missing', () => {
  assert.equal(factsWith('outsideDegrees').missing, undefined);
  assert.equal(factsWith('outsideCrsArea').missing, 'crs');
});

test('problems of the data are counted, what the map viewer or a job prefers is not', () => {
  assert.equal(factsWith('outsideDegrees', 'noGeometry', 'notCloudOptimized').problems, 2);
  assert.equal(factsWith('notShownByViewer').problems, undefined);
});
