import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Module } from '@platen/contract/modules';
import { withOldDefaults } from './old-engines.ts';

const layers = [
  { type: 'VectorTileLayer', name: 'a', renderer: 'primitive' },
  { type: 'VectorTileLayer', name: 'b', renderer: 'primitive', minLevel: 6 },
  { type: 'VectorTileLayer', name: 'c' },
  { type: 'GeoJSONLayer', name: 'd', renderer: 'primitive' },
];
const module = { name: 'm', layers } as unknown as Module;

test('vector tiles that are drawn as primitives get the levels that engines before 6.3 need', () => {
  for (const version of ['6.2.1', '5.0.2']) {
    const [a, b, ...others] = withOldDefaults(module, version).layers;
    assert.deepEqual([a!['minLevel'], a!['maxLevel']], [0, 30], version);
    assert.deepEqual([b!['minLevel'], b!['maxLevel']], [6, 30], version);
    assert.deepEqual(others, layers.slice(2));
  }
});

test('points keep their colour, without an outline', () => {
  const outlined = { color: "color('red')", pointOutlineWidth: '1', pointOutlineColor: "color('white')" };
  const style = { type: 'DeclarativeStyleItem', name: 's', declarativeStyle: outlined };
  const styled = {
    name: 'm',
    styles: [style],
    layers: [{ type: 'GeoJSONLayer', style }],
  } as unknown as Module;
  const old = withOldDefaults(styled, '6.2.1');
  const plain = { ...style, declarativeStyle: { color: "color('red')" } };
  assert.deepEqual(old.styles, [plain]);
  assert.deepEqual(old.layers[0]!['style'], plain);
  assert.equal(withOldDefaults(styled, '6.3.11'), styled);
});

test('other engines get the module as it is', () => {
  for (const version of ['6.3.0', '6.3.11', '7.0.0', undefined, 'none'])
    assert.equal(withOldDefaults(module, version), module);
});
