import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Module } from '@platen/contract/modules';
import { raiseNames } from './raise-names.ts';

const names = 'platen-base-maps-world-names-1';
const heightWith = (...layers: object[]) => {
  const baseMaps = { _id: 'platen-base-maps', layers: [{ name: names, zIndex: -800 }] };
  const modules = [baseMaps, { _id: 'data', layers }] as unknown as Module[];
  const styles = new Map([['named', { declarativeStyle: { labelText: '${name}' } }]]);
  const raised = raiseNames(modules, styles);
  assert.deepEqual(raised[1], modules[1]);
  return raised[0]!.layers[0]!['zIndex'];
};

test('the names lie above the data, and below layers of points, or with labels of their own', () => {
  assert.equal(heightWith(), 0);
  assert.equal(heightWith({ zIndex: -5 }), 0);
  assert.equal(heightWith({ zIndex: 10, style: { type: 'VectorStyleItem', fill: {} } }, {}), 11);
  assert.equal(heightWith({ zIndex: 10 }, { zIndex: 30, style: 'named' }, { zIndex: 40 }), 29);
  const points = { type: 'DeclarativeStyleItem', declarativeStyle: { pointSize: '5' } };
  const areas = { type: 'DeclarativeStyleItem', declarativeStyle: { strokeColor: "color('#fff')" } };
  assert.equal(heightWith({ zIndex: 30, style: points }, { zIndex: 10, style: areas }), 29);
  assert.equal(heightWith({ style: { type: 'VectorStyleItem', text: 'a' } }, { zIndex: 5 }), -1);
});

test('names that an app wants below its data stay there', () => {
  const below = { name: 'platen-base-maps-world-names-below-1', zIndex: -800 };
  const modules = [
    { _id: 'platen-base-maps', layers: [below] },
    { _id: 'data', layers: [{ type: 'TerrainLayer', zIndex: 10 }] },
  ] as unknown as Module[];
  const vectorProperties = { altitudeMode: 'clampToGround' };
  assert.deepEqual(raiseNames(modules, new Map())[0]!.layers, [{ ...below, vectorProperties }]);
});

test('the names lie on the ground where there is terrain', () => {
  const baseMaps = { _id: 'platen-base-maps', layers: [{ name: names }] };
  const onGround = (type: string) =>
    raiseNames([baseMaps, { _id: 'data', layers: [{ type }] }] as unknown as Module[], new Map())[0]!
      .layers[0]!['vectorProperties'];
  assert.equal(onGround('TilesetLayer'), undefined);
  assert.deepEqual(onGround('TerrainLayer'), { altitudeMode: 'clampToGround' });
});
