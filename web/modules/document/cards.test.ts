import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardDesignOf } from '@platen/viewer/card-view';
import { addCard, addDatasourceWithCard, layersOfView } from './cards.ts';
import { itemsOf } from './content.ts';

const attributes = [{ name: 'height', type: 'number' as const, count: 100, min: 1, max: 9, values: [1, 9] }];

test('a datasource whose attributes are known brings a card, others do not', () => {
  const config = { type: 'GeoJSONLayer', name: 'Trees' };
  const content = addDatasourceWithCard({}, [config], { name: 'Trees', attributes });
  const [view] = itemsOf(content, 'featureInfo');
  assert.equal(view!['name'], 'Trees');
  assert.equal(cardDesignOf(view)?.rows.length, 1);
  assert.deepEqual(layersOfView(content, 'Trees'), ['Trees']);
  const unknown = addDatasourceWithCard({}, [config], { name: 'Trees', attributes: [] });
  assert.equal(unknown['featureInfo'], undefined);
  const own = addDatasourceWithCard({}, [{ ...config, properties: { featureInfo: 'own' } }], {
    name: 'T',
    attributes,
  });
  assert.equal(own['featureInfo'], undefined);
});

test('a further card has a name of its own, and the layer shows it', () => {
  const layer = { type: 'GeoJSONLayer', name: 'a', properties: { title: 'A', featureInfo: 'a' } };
  const content = { layers: [layer, { type: 'GeoJSONLayer', name: 'b' }], featureInfo: [{ name: 'a' }] };
  const next = addCard(content, 0, { place: 'panel', rows: [] });
  assert.deepEqual(layersOfView(next, 'a-2'), ['a']);
  assert.deepEqual(itemsOf(next, 'layers')[0]!['properties'], { title: 'A', featureInfo: 'a-2' });
  assert.deepEqual(
    itemsOf(next, 'featureInfo').map(({ name, type }) => [name, type]),
    [
      ['a', undefined],
      ['a-2', 'TableFeatureInfoView'],
    ],
  );
});
