import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasTitledRows, legendRows, renameLegendRow } from './legend-rows.ts';

const land = { type: 'FillLegendRow', title: '1', fill: { color: '#ff0000' } };
const legend = [
  {
    type: 'StyleLegendItem',
    colNr: 1,
    rows: [
      land,
      { type: 'StrokeLegendRow', title: 'Road', stroke: { color: [0, 0, 255, 0.5], width: 2 } },
      { type: 'IconLegendRow', title: 'Tree', image: { src: 'data:image/png;base64,' } },
    ],
  },
];

test('rows of a legend have a colour or a picture, and can be renamed one by one', () => {
  assert.equal(hasTitledRows(legend), true);
  assert.deepEqual(
    legendRows(legend).map(({ title, colour, picture }) => [title, colour, picture]),
    [
      ['1', '#ff0000', undefined],
      ['Road', 'rgba(0, 0, 255, 0.5)', undefined],
      ['Tree', undefined, 'data:image/png;base64,'],
    ],
  );
  const renamed = renameLegendRow(legend, [0, 0], 'Forest');
  assert.deepEqual(renamed, [{ ...legend[0], rows: legend[0]!.rows.with(0, { ...land, title: 'Forest' }) }]);
});

test('legends of pictures or of something unknown have no rows with titles', () => {
  for (const other of [undefined, [], 'text', [{ type: 'ImageLegendItem', src: 'a.png' }], [...legend, {}]])
    assert.equal(hasTitledRows(other), false);
});
