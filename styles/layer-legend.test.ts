import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layerLegend } from './layer-legend.ts';
import { styleItem } from './style-item.ts';

const words = { locale: 'en', others: 'Others', noValue: 'No value' };
const rows = (style: unknown) => layerLegend(style, 'Trees').flatMap((legend) => legend.rows);
const single = { type: 'single', colour: '#336699' } as const;

test('a single colour is shown as it is drawn, and called like its layer', () => {
  const kinds = (['point', 'line', 'area'] as const).map((shape) =>
    rows(styleItem({ colour: single }, shape, words)),
  );
  assert.deepEqual(
    kinds.flat().map(({ type, title }) => [type, title]),
    [
      ['CircleLegendRow', 'Trees'],
      ['StrokeLegendRow', 'Trees'],
      ['FillLegendRow', 'Trees'],
    ],
  );
  assert.deepEqual((kinds[1]![0]!['stroke'] as { color: string }).color, '#336699');
});

test('a colour with a name has a legend of its own', () => {
  const named = styleItem({ colour: { ...single, title: 'Old trees' } }, 'point', words);
  assert.deepEqual(rows(named), []);
  const [legend] = (named['properties'] as { legend: { rows: { title: string }[] }[] }).legend;
  assert.deepEqual(
    legend!.rows.map(({ title }) => title),
    ['Old trees'],
  );
});

test('a style by attribute whose legend was taken away has none', () => {
  const byKind = {
    type: 'categories',
    attribute: 'kind',
    categories: [{ values: ['oak'], colour: '#112233' }],
  } as const;
  const { properties, ...item } = styleItem({ colour: byKind as never }, 'point', words);
  const { legend: _, ...others } = properties as Record<string, unknown>;
  assert.deepEqual(rows({ ...item, properties: others }), []);
});

test('styles of vector layers and constant expressions are shown, too', () => {
  assert.deepEqual(rows({ type: 'VectorStyleItem', stroke: { color: '#ff0000', width: 2 } }), [
    { type: 'StrokeLegendRow', title: 'Trees', stroke: { color: '#ff0000', width: 2 } },
  ]);
  const item = (declarativeStyle: object) => ({ type: 'DeclarativeStyleItem', declarativeStyle });
  assert.deepEqual(rows(item({ color: "color('red', 0.5)", pointSize: '8' })), [
    {
      type: 'CircleLegendRow',
      title: 'Trees',
      image: { radius: 4, fill: { color: 'red' }, stroke: { color: 'red', width: 0 } },
    },
  ]);
  assert.deepEqual(rows(item({ color: '#fff', strokeColor: "color('#000000')" })), []);
  assert.deepEqual(rows(item({ color: { conditions: [['true', "color('red')"]] } })), []);
  for (const style of [undefined, null, 'name', [], { type: 'VectorStyleItem' }])
    assert.deepEqual(rows(style), []);
});
