import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InspectionReport } from '@platen/contract/inspect';
import { suggest } from './suggest.ts';

const layer = {
  name: 'image',
  geometryTypes: [],
  featureCount: 1,
  isEstimated: false,
  isBboxEstimated: false,
  fields: [],
};

function suggestFor(more: Partial<InspectionReport>, bbox = [9, 49, 10, 50]) {
  const report = { format: 'geotiff', kind: 'raster', uses: [], layers: [{ ...layer, bbox }], ...more };
  return suggest(report as unknown as InspectionReport, 2);
}

const shown = (confidence: number) => ({
  uses: [{ kind: 'datasource' as const, type: 'cog', confidence, reason: '' }],
});

test('imagery is suggested where maps do not show a raster, or slowly', () => {
  assert.deepEqual(suggestFor(shown(0.2))?.options, {});
  assert.deepEqual(suggestFor(shown(0.6))?.options, {});
  assert.equal(suggestFor(shown(0.95))?.options, undefined);
  assert.ok(suggestFor(shown(0.95))!.confidence < 0.5);
});

test('heights become terrain rather than imagery, and what has no place becomes none', () => {
  assert.equal(suggestFor({ kind: 'terrain' })?.options, undefined);
  assert.equal(suggest({ ...suggestInput, layers: [layer] } as unknown as InspectionReport, 2), undefined);
  assert.deepEqual(suggestFor({ format: 'png' })?.options, {}, 'pictures with a world file');
});

const suggestInput = { format: 'geotiff', kind: 'raster', uses: [] };
