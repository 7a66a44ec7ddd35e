import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LabelRule } from '@platen/contract/map-styles';
import { styleItem } from '@platen/styles/style-item';
import { hasFarLabels } from './far-labels.ts';

const words = { locale: 'en', others: 'Others', noValue: 'No value' };
const layersWith = (label?: LabelRule) => ({
  layers: [
    { type: 'WMSLayer', name: 'air', style: 'bold' },
    {
      type: 'VectorTileLayer',
      name: 'data',
      style: styleItem(
        { colour: { type: 'single', colour: '#0e7a89' }, ...(label && { label }) },
        'point',
        words,
      ),
    },
  ],
});

test('only labels that are seen from far away compete with the names of the world', () => {
  assert.equal(hasFarLabels(layersWith()), false);
  assert.equal(hasFarLabels(layersWith({ attribute: 'name', maxDistance: 13_000 })), false);
  assert.equal(hasFarLabels(layersWith({ attribute: 'name', maxDistance: 5_000_000 })), true);
  assert.equal(hasFarLabels(layersWith({ attribute: 'name' })), true);
});
