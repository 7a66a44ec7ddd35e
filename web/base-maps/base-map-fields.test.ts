import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BaseMap } from '@platen/contract/base-maps';
import { baseMapOf, fieldsOf, idFor } from './base-map-fields.ts';

test('a base map stays as it is when its form is not changed', () => {
  const stored: BaseMap[] = [
    {
      id: 'city',
      name: 'City',
      type: 'wmts',
      url: 'https://maps.city.example/wmts',
      layer: 'city',
      tileMatrixSet: 'WEBMERCATOR',
      style: 'default',
      format: 'image/jpeg',
      minZoom: 0,
      maxZoom: 18,
      bbox: [6, 50, 7, 51],
      attribution: { text: 'City', url: 'https://www.city.example' },
      thumbnail: 'https://maps.city.example/a.png',
    },
    { id: 'own', name: 'Own', type: 'datasource', datasourceId: '1' },
  ];
  for (const one of stored) assert.deepEqual(baseMapOf(fieldsOf(one), one.id, one), one);
});

test('fields of other types are left out', () => {
  const fields = {
    ...fieldsOf(undefined),
    name: ' Aerial ',
    url: ' https://a.example ',
    layer: 'x',
    datasourceId: '1',
  };
  assert.deepEqual(baseMapOf({ ...fields, type: 'terrain' }, 'aerial', undefined), {
    id: 'aerial',
    name: 'Aerial',
    type: 'terrain',
    url: 'https://a.example',
  });
});

test('ids come from names, and are unique', () => {
  assert.equal(idFor('Luftbild 2026 (Größe)', []), 'luftbild-2026-grosse');
  assert.equal(idFor('City', ['city', 'city-2']), 'city-3');
  assert.equal(idFor('World-dark', []), 'world-dark-2');
  assert.equal(idFor('خريطة', []), 'map');
  assert.match(idFor(`${'x'.repeat(29)} - tail`, []), /^x+$/);
});
