import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLegends } from './layer-legends.ts';

const style = { type: 'VectorStyleItem', fill: { color: '#00ff00' } };
const legendOf = (layer: object, styles: Record<string, unknown>[] = []) =>
  (
    withLegends(
      { layers: [{ name: 'a', ...layer }] } as never,
      new Map(styles.map((style) => [style['name'], style])),
    ).layers[0]!['properties'] as { legend?: object[] } | undefined
  )?.legend;

test('a layer gets a sample of its own style or of one of the module', () => {
  const rows = [{ type: 'FillLegendRow', title: 'Parks', fill: { color: '#00ff00' } }];
  const expected = [{ type: 'StyleLegendItem', colNr: 1, rows }];
  const layer = { type: 'GeoJSONLayer', properties: { title: 'Parks' } };
  assert.deepEqual(legendOf({ ...layer, style }), expected);
  assert.deepEqual(legendOf({ ...layer, style: 'green' }, [{ name: 'green', ...style }]), expected);
  assert.deepEqual(legendOf({ ...layer, style: 'gone' }), undefined);
});

test('layers of the same data that look the same share a legend', () => {
  const layer = { type: 'GeoJSONLayer', style, datasourceId: 'd', properties: { title: 'Trees' } };
  const layers = [layer, { ...layer, name: 'far' }, { ...layer, datasourceId: 'other' }];
  const { layers: shown } = withLegends({ layers } as never, new Map());
  assert.deepEqual(
    shown.map(({ properties }) => 'legend' in (properties as object)),
    [true, false, true],
  );
});

test('what a layer says of its legend stays, and what nobody can click has none', () => {
  const layer = { type: 'GeoJSONLayer', style };
  assert.deepEqual(legendOf({ ...layer, properties: { legend: [] } }), []);
  assert.equal(legendOf({ ...layer, allowPicking: false }), undefined);
  assert.equal(legendOf({ type: 'TMSLayer', style }), undefined);
});

test('each layer of a WMS has its picture', () => {
  const legend = legendOf({
    type: 'WMSLayer',
    url: 'https://example.org/wms?map=a',
    layers: 'roads,parks & squares',
    parameters: { STYLES: ',green' },
  }) as { src: string; tooltip: string }[];
  const [roads, parks] = legend.map(({ src }) => new URL(src).searchParams);
  assert.equal(legend[0]!.src.startsWith('https://example.org/wms?map=a&SERVICE=WMS&'), true);
  assert.deepEqual([roads!.get('LAYER'), roads!.get('STYLE')], ['roads', null]);
  assert.deepEqual([parks!.get('LAYER'), parks!.get('STYLE')], ['parks & squares', 'green']);
  assert.equal(legendOf({ type: 'WMSLayer', url: 'https://example.org/wms' }), undefined);
});
