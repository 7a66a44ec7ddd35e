import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moduleContentKeys } from '@platen/contract/modules';
import { suggestKeys, suggestValues } from '../../ui/json-editor/json-schema.ts';
import { layerTypesWithFields } from './layer-fields.ts';
import { moduleSchema } from './module-schema.ts';
import { newestTypes } from './newest.ts';

const schema = moduleSchema((list) => [`one of ${list}`]);
const labels = (found: readonly { label: string }[]) => found.map(({ label }) => label);

test('every type of layer that shows something has its options', () => {
  const abstract = new Set(['Layer']);
  assert.deepEqual(
    layerTypesWithFields.toSorted(),
    newestTypes.layers.filter((type) => !abstract.has(type)),
  );
});

test('all that the service knows of a module is offered', () => {
  const keys = new Set(labels(suggestKeys(schema, [], {})));
  assert.deepEqual(
    moduleContentKeys.filter((key) => !keys.has(key)),
    [],
  );
});

test('the offered fields depend on the type, and on the existing names', () => {
  const value = { layers: [{ type: 'TMSLayer', properties: {} }, { type: 'GeoJSONLayer' }] };
  const raster = labels(suggestKeys(schema, ['layers', 0], value));
  assert.ok(raster.includes('opacity') && raster.includes('url') && !raster.includes('vectorProperties'));
  const vector = labels(suggestKeys(schema, ['layers', 1], value));
  assert.ok(vector.includes('vectorProperties') && !vector.includes('opacity'));
  assert.ok(labels(suggestKeys(schema, ['layers', 0, 'properties'], value)).includes('title'));
  assert.deepEqual(labels(suggestValues(schema, ['layers', 0, 'format'], value)), [
    'png',
    'jpeg',
    'jpg',
    'webp',
  ]);
  assert.deepEqual(labels(suggestValues(schema, ['layers', 0, 'mapNames', 0], value)), ['one of maps']);
  assert.ok(labels(suggestValues(schema, ['layers', 2, 'type'], value)).includes('CesiumTilesetLayer'));
});
