import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InspectedLayer, InspectionReport } from '@platen/contract/inspect';
import { summaryOf } from './summary-of.ts';

const layer = (change: Partial<InspectedLayer>): InspectedLayer => ({
  name: 'a',
  geometryTypes: [],
  isEstimated: false,
  isBboxEstimated: false,
  fields: [],
  ...change,
});

const summary = (change: Partial<InspectionReport>) =>
  summaryOf({ layers: [], issues: [], uses: [], ...change });

test('a line contains format, version, content and amount', () => {
  const details = { levelsOfDetail: ['2', '1'] };
  const city = { formatTitle: 'CityGML', formatVersion: '2.0', kind: 'cityModel' } as const;
  assert.equal(
    summary({ ...city, layers: [layer({ featureCount: 412_388, details })] }),
    'CityGML 2.0 · LoD 1, 2 · 412,388 city objects',
  );
  const cloud = { formatTitle: 'LAZ', formatVersion: '1.4', kind: 'pointCloud' } as const;
  assert.equal(
    summary({ ...cloud, layers: [layer({ featureCount: 1_234_567_890, isEstimated: true })] }),
    'LAZ 1.4 · about 1,230,000,000 points',
  );
  const vector = { formatTitle: 'GeoPackage', kind: 'vector' } as const;
  const roads = layer({ featureCount: 10, geometryTypes: ['LineString', 'MultiLineString'] });
  assert.equal(summary({ ...vector, layers: [roads] }), 'GeoPackage · 10 lines');
  const trees = layer({ featureCount: 1, geometryTypes: ['Point'] });
  assert.equal(summary({ ...vector, layers: [trees] }), 'GeoPackage · 1 point');
  assert.equal(summary({ ...vector, layers: [roads, trees] }), 'GeoPackage · 2 layers · 11 features');
  assert.equal(summary({ ...vector, layers: [layer({})] }), 'GeoPackage');
  const image = { formatTitle: 'GeoTIFF', kind: 'raster' } as const;
  assert.equal(
    summary({ ...image, layers: [layer({ featureCount: 1, details: { width: 20_000, height: 512 } })] }),
    'GeoTIFF · 20,000 × 512 pixels',
  );
});

test('an unrecognised file has a reason, and no text is longer than a line', () => {
  const issues = [{ code: 'notRecognised', message: `${'x'.repeat(300)}`, count: 1 }];
  assert.equal(summary({ issues }), 'x'.repeat(200));
  assert.equal(summary({}), 'Not recognised');
  assert.equal(summary({ formatTitle: '🏠'.repeat(200) }).length, 200);
});
