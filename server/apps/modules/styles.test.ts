import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorsOf, warningsOf, layer } from './testing-findings.ts';

test('only the colours that the map viewer reads are accepted, which are fewer than those of CSS', () => {
  const of = (color: unknown) =>
    warningsOf({ styles: [{ type: 'VectorStyleItem', name: 's', fill: { color } }] });
  const unread = ['/styles/0/fill/color unknownColour'];
  for (const colour of [
    '#fff',
    '#FF8800',
    'rgb(1, 2, 3)',
    'rgba(0,0,255,0.5)',
    'rgba(0, 0, 255, 1)',
    [1, 2, 3],
    [1, 2, 3, 0.5],
    null,
  ])
    assert.deepEqual(of(colour), [], JSON.stringify(colour));
  for (const colour of [
    'rgba(0,0,255,.5)',
    'red',
    '#12',
    '#gggggg',
    'hsl(1,2%,3%)',
    '',
    7,
    [1, 2],
    ['a', 1, 2],
  ])
    assert.deepEqual(of(colour), unread, JSON.stringify(colour));
  const inLayers = warningsOf({
    layers: [
      layer({
        style: {
          type: 'VectorStyleItem',
          stroke: { color: 'red', width: 1 },
          image: { radius: 5, fill: { color: 'red' }, stroke: { color: 'red' } },
          text: { fill: { color: 'red' } },
        },
        highlightStyle: { type: 'VectorStyleItem', fill: { color: 'red' }, image: { scale: 2 } },
      }),
      layer({
        name: 'b',
        style: { type: 'DeclarativeStyleItem', declarativeStyle: { color: "color('red')" } },
      }),
    ],
    vectorClusterGroups: [{ name: 'g', style: { fill: { color: 'red' } } }],
  });
  assert.deepEqual(inLayers, [
    '/layers/0/highlightStyle/fill/color unknownColour',
    '/layers/0/highlightStyle/image noSource',
    '/layers/0/style/image/fill/color unknownColour',
    '/layers/0/style/image/stroke/color unknownColour',
    '/layers/0/style/stroke/color unknownColour',
    '/vectorClusterGroups/0/style/fill/color unknownColour',
  ]);
  assert.deepEqual(errorsOf({ layers: [layer({ style: 5 }), layer({ name: 'b', style: {} })] }), [
    '/layers/0/style type',
    '/layers/1/style/type required',
  ]);
});
