import { hatchTypes, MapStyle } from '@platen/contract/map-styles';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { legendOf } from './legend.ts';
import { hatchesOf } from './hatch.ts';
import { layerLegend } from './layer-legend.ts';
import { originOf, styleItem } from './style-item.ts';

const words = { locale: 'en', others: 'Other', noValue: 'No value' };
const hatched: MapStyle = {
  colour: { type: 'single', colour: '#88aa66', title: 'Forest' },
  opacity: 0.5,
  outline: { colour: '#224411', width: 2 },
  hatch: { type: 'slash', colour: '#112233', width: 2, spacing: 12 },
};

test('areas of one colour are hatched by a vector style, which is known again as a style by attributes', () => {
  const item = styleItem(hatched, 'area', words, { name: 'forest' });
  const { properties, ...drawn } = item;
  assert.deepEqual(drawn, {
    type: 'VectorStyleItem',
    name: 'forest',
    fill: {
      color: 'rgba(136, 170, 102, 0.5)',
      pattern: { type: 1, color: '#112233', width: 2, size: 12 },
    },
    stroke: { color: '#224411', width: 2 },
  });
  assert.deepEqual(originOf(JSON.parse(JSON.stringify(item))), { style: hatched, shape: 'area' });
  assert.equal(originOf({ ...item, fill: { color: '#ffffff' } }), undefined);
  const { stroke: _, ...bare } = item;
  assert.equal(originOf(bare), undefined);
  assert.ok(properties);
});

test('the legend shows the hatch, of a layer without a text of its own, too', () => {
  const pattern = { type: 1, color: '#112233', width: 2, size: 12 };
  assert.deepEqual(legendOf(hatched, 'area', words)[0]!.rows[0]!['fill'], { color: '#becda6', pattern });
  const plain: MapStyle = { ...hatched, colour: { type: 'single', colour: '#88aa66' } };
  const [legend] = layerLegend(styleItem(plain, 'area', words), 'Forest');
  assert.deepEqual((legend!.rows[0]!['fill'] as { pattern: unknown }).pattern, pattern);
});

test('where VC Map has no hatch, the pages of Platen draw that of all areas', () => {
  const colour = { type: 'categories', attribute: 'use', categories: [] } as const;
  const others: readonly MapStyle[] = [
    { ...hatched, colour: { ...colour, categories: [] } },
    { ...hatched, label: { attribute: 'name' } },
    { ...hatched, filter: [{ attribute: 'use', operator: 'exists' }] },
  ];
  for (const style of others) {
    const item = styleItem(style, 'area', words, styleItem(hatched, 'area', words));
    assert.deepEqual(
      [item['type'], item['fill'], item['stroke']],
      ['DeclarativeStyleItem', undefined, undefined],
    );
    assert.deepEqual(originOf(item), { style, shape: 'area' });
    const { hatches } = item['properties'] as { hatches: { pattern: object }[] };
    assert.deepEqual(hatches.at(-1)!.pattern, { type: 1, color: '#112233', width: 2, size: 12 });
  }
  assert.equal(styleItem(hatched, 'line', words)['type'], 'DeclarativeStyleItem');
});

test('a hatch has defaults, and no outline without one', () => {
  for (const type of hatchTypes) {
    const style: MapStyle = { colour: { type: 'single', colour: '#88aa66' }, outline: null, hatch: { type } };
    assert.deepEqual([...Value.Errors(MapStyle, style)], []);
    const { fill, stroke } = styleItem(style, 'area', words);
    const { pattern } = fill as { pattern: { type: number; width: number; size: number } };
    assert.ok(pattern.type >= 1 && pattern.type <= 6);
    assert.deepEqual([pattern.width, pattern.size, stroke], [1.5, 10, undefined]);
  }
});

test('a category has its own hatch, or that of the style, in the map and in the legend', () => {
  const style: MapStyle = {
    colour: {
      type: 'categories',
      attribute: 'use',
      categories: [
        { values: ['a'], colour: '#88aa66', hatch: { type: 'cross', colour: '#445566' } },
        { values: ['b'], colour: '#aa8866' },
      ],
    },
    hatch: { type: 'slash', colour: '#112233' },
  };
  assert.deepEqual(
    hatchesOf(style, 'area').map(({ values, pattern }) => [values, pattern.type, pattern.color]),
    [
      [['a'], 6, '#445566'],
      [['b'], 1, '#112233'],
      [undefined, 1, '#112233'],
    ],
  );
  assert.deepEqual(hatchesOf({ ...style, hatch: undefined } as never, 'area').length, 1);
  assert.deepEqual(hatchesOf(style, 'line'), []);
  const fills = legendOf(style, 'area', words)[0]!.rows.map(
    (row) => (row['fill'] as { pattern: { type: number } }).pattern.type,
  );
  assert.deepEqual(fills, [6, 1]);
});
