import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countValue } from '../kit/attribute-statistics.ts';
import { addLayers, layerOf, statisticsOf, type Layers } from './layers.ts';

/** Feature i has the attributes i to i + 9, so that each appears in ten features in a row. */
function partOf(from: number, to: number): Layers {
  const layers: Layers = new Map();
  const layer = layerOf(layers, 'a');
  for (let i = from; i < to; i++) {
    layer.features++;
    for (let k = i; k < i + 10; k++) countValue(statisticsOf(layer, `key ${k}`), `value ${i}`);
  }
  return layers;
}

function merge(parts: readonly Layers[]): Layers {
  const layers: Layers = new Map();
  for (const part of parts) addLayers(layers, part);
  return layers;
}

test('values are kept of the first thousand attributes, however the input is divided', () => {
  const [whole, divided] = [[1500], [7, 800, 995, 1003, 1500]].map((ends) =>
    merge(ends.map((end, i) => partOf(ends[i - 1] ?? 0, end))),
  );
  assert.deepEqual(divided, whole);
  const attributes = [...whole!.get('a')!.attributes.values()];
  assert.equal(attributes.length, 1509);
  assert.deepEqual(
    attributes.map(({ values }) => values.size > 0),
    attributes.map((_, i) => i < 1000),
  );
  assert.ok(attributes.every(({ types }) => types === 4));
  assert.deepEqual([...attributes[999]!.values].length, 10);
});
