import type { MapStyle } from '@platen/contract/map-styles';
import type { FreeForm } from '@platen/contract/schema';
import { styleItem } from '@platen/styles/style-item';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPlace } from '../../files/revisions/testing.ts';
import { startService } from '../../testing.ts';
import { newMap } from './testing.ts';

const service = await startService();
const { admin } = service;
const place = await newPlace(service);

const by = (attribute: string): FreeForm => {
  const style: MapStyle = {
    colour: { type: 'categories', attribute, categories: [{ values: ['home'], colour: '#112233' }] },
  };
  return styleItem(style, 'area', { locale: 'en', others: 'Other', noValue: 'No value' });
};

test('a release warns of styles by attributes that the data no longer have, and of no others', async () => {
  const { params, moduleId } = await newMap(service, place, ['styled']);
  const register = async (properties: FreeForm) => {
    const sourceProperties = { type: 'external', url: 'https://data.example/' } as const;
    const body = { name: 'styled', type: 'geojson', sourceProperties, properties } as const;
    return (await admin.postProjectDatasource({ params, body }))._id;
  };
  const fields = [{ name: 'use', type: 'string', count: 1, values: ['home'] }];
  const known = await register({ fields, attribution: 'Ulm' });
  const unknown = await register({ attribution: 'Ulm' });
  const ofDatasource = await register({
    fields,
    attribution: 'Ulm',
    styles: [
      { ...by('use'), name: 'New' },
      { ...by('former'), name: 'Old' },
    ],
  });
  const layer = (name: string, options: FreeForm) => ({ type: 'GeoJSONLayer', name, ...options });
  const layers = [
    layer('kept', { datasourceId: known, style: by('use') }),
    layer('gone', { datasourceId: known, style: by('former') }),
    layer('shared', { datasourceId: known, style: 'old' }),
    layer('unknown', { datasourceId: unknown, style: by('former') }),
    layer('default', { datasourceId: ofDatasource }),
    layer('chosen', { datasourceId: ofDatasource, properties: { datasourceStyle: 'Old' } }),
    layer('plain', { datasourceId: known, style: { type: 'VectorStyleItem' } }),
  ];
  const styles = [{ ...by('former'), name: 'old' }];
  await admin.putProjectModule({ params: { ...params, moduleId }, body: { layers, styles } });
  const { warnings } = await admin.postProjectAppRelease({ params, body: {} });
  const found = warnings.filter(({ code }) => code === 'goneAttribute').map(({ detail }) => detail);
  assert.deepEqual(
    found.map((detail) => /\/layers\/(\d)/.exec(detail)?.[1]),
    ['1', '2', '5'],
  );
  assert.match(found[0]!, /“gone” uses attributes that its data do not have: “former”\./);
});
