import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MapStyle } from '@platen/contract/map-styles';
import { styleItem } from '@platen/styles/style-item';
import { startService } from '../../testing.ts';

const { admin } = await startService();
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const params = { projectId };
const style: MapStyle = {
  colour: {
    type: 'categories',
    attribute: 'use',
    categories: [
      { values: ['home'], colour: '#ff0000', title: 'Homes' },
      { values: ['shop', 'bar'], colour: '#00ff00' },
    ],
    others: { colour: '#888888' },
  },
  opacity: 0.5,
  outline: null,
};
const read = (text: string) => admin.postProjectStyleImport({ params, body: { text } });

test('what is exported is imported as it was', async () => {
  const file = await admin.postProjectStyleExport({
    params,
    body: { style, shape: 'area', name: 'Use: “all”/5', format: 'sld-1.1' },
  });
  assert.equal(file.fileName, 'Use_ “all”_5.sld');
  assert.deepEqual(await read(file.text), {
    format: 'sld-1.1',
    styles: [{ name: 'Use: “all”/5', shape: 'area', style, notes: [] }],
  });
});

test('a named style of a datasource is exported, unless it is written as expressions', async () => {
  const words = { locale: 'en', others: 'Other', noValue: 'No value' };
  const byHand = {
    type: 'DeclarativeStyleItem',
    name: 'By hand',
    declarativeStyle: { color: "color('red')" },
  };
  const { _id: datasourceId } = await admin.postProjectDatasource({
    params,
    body: {
      name: 'Parks',
      type: 'geojson',
      typeProperties: {},
      sourceProperties: { type: 'external', url: 'https://example.org/parks.geojson' },
      properties: { styles: [{ ...styleItem(style, 'area', words), name: 'By use' }, byHand] },
    },
  });
  const path = { projectId, datasourceId };
  const exported = (name?: string) =>
    admin.getProjectDatasourceStyleExport({
      params: path,
      query: { format: 'sld-1.0', ...(name !== undefined && { name }) },
    });
  const { fileName, text } = await exported();
  assert.equal(fileName, 'By use.sld');
  assert.deepEqual((await read(text)).styles[0]?.style, style);
  await assert.rejects(exported('By hand'), { status: 422, message: /“By hand” is written as expressions/ });
  await assert.rejects(exported('None'), { status: 404, message: /no such style/ });
});

test('what is no style by attribute in the properties of a datasource is not exported', async () => {
  const declarativeStyle = { color: "color('#ff0000', 1)" };
  const colour = { type: 'single', colour: '#ff0000' };
  const itemOf = (mapStyle: unknown, i: number) => ({
    type: 'DeclarativeStyleItem',
    name: `${i}`,
    declarativeStyle,
    properties: { mapStyle },
  });
  const origins = [{ style: { colour, opacity: 1 }, shape: 'star' }, { style: { colour, opacity: 1 } }];
  const { _id: datasourceId } = await admin.postProjectDatasource({
    params,
    body: {
      name: 'Odd',
      type: 'geojson',
      typeProperties: {},
      sourceProperties: { type: 'external', url: 'https://example.org/odd.geojson' },
      properties: { styles: origins.map(itemOf) },
    },
  });
  for (const name of ['0', '1'])
    await assert.rejects(
      admin.getProjectDatasourceStyleExport({
        params: { projectId, datasourceId },
        query: { format: 'sld-1.0', name },
      }),
      { status: 422 },
    );
});

test('a style whose file would be longer than an import takes is refused', async () => {
  const values = Array.from({ length: 100 }, (_, i) => `${'x'.repeat(500)}${i}`);
  const body = {
    style: { ...style, filter: [{ attribute: 'a', operator: 'in' as const, values }] },
    shape: 'area' as const,
    format: 'sld-1.1' as const,
  };
  const { text } = await admin.postProjectStyleExport({ params, body });
  assert.ok(text.length <= 1_000_000);
  const categories = values.map((value) => ({ values: [value], colour: '#ff0000' }));
  const colour = { type: 'categories' as const, attribute: 'a', categories };
  for (const format of ['sld-1.0', 'sld-1.1'] as const)
    await assert.rejects(
      admin.postProjectStyleExport({ params, body: { ...body, format, style: { ...body.style, colour } } }),
      { status: 422, message: /longer than 1,000,000 characters/ },
    );
});

test('a broken file is refused with its line and column', async () => {
  const sld = '<StyledLayerDescriptor version="1.0.0">\n  <NamedLayer>\n  ä</UserStyle></NamedLayer>';
  await assert.rejects(read(sld), { status: 400, message: /\/text: Line 3, column 15: / });
  await assert.rejects(read('<StyledLayerDescriptor>\n<NamedLayer>'), { message: /Line 2, .*incomplete/ });
  await assert.rejects(read('no style'), { status: 400, message: /SLD/ });
  await assert.rejects(read('<html/>'), { message: /root element is <html>/ });
  await assert.rejects(read('<StyledLayerDescriptor/>'), { message: /contains no <UserStyle>/ });
});

test('entities are not expanded, and deep or endless documents are refused', async () => {
  const entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
  const named = (name: string) =>
    `${entities}<StyledLayerDescriptor><NamedLayer><UserStyle><Name>${name}</Name><FeatureTypeStyle><Rule><PolygonSymbolizer><Fill/></PolygonSymbolizer></Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
  assert.equal((await read(named('&b;'))).styles[0]?.name, '&b;');
  await assert.rejects(read('<a>'.repeat(100_000) + '</a>'.repeat(100_000)), {
    status: 400,
    message: /nested more than 64 deep/,
  });
  await assert.rejects(read('x'.repeat(1_000_001)), { status: 400 });
});
