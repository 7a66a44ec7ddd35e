import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clearAt, getAt, moveItem, pathOf, pointerOf, setAt, uniqueName, type Content } from './content.ts';
import { renameItem } from './rename.ts';

test('a change by path keeps the order of keys, all else, and the old value', () => {
  const before = { z: 1, layers: [{ type: 'A', own: [1] }, { type: 'B' }], a: 2 };
  const after = setAt(before, ['layers', 0, 'type'], 'C');
  assert.equal(JSON.stringify(after), '{"z":1,"layers":[{"type":"C","own":[1]},{"type":"B"}],"a":2}');
  assert.equal(before.layers[0]!.type, 'A');
  assert.equal(getAt(after, ['layers', 1]), before.layers[1]);
  assert.deepEqual(setAt({}, ['properties', 'title'], 'x'), { properties: { title: 'x' } });
});

test('clearing a value removes objects that become empty, but not items of lists', () => {
  const value = { name: 'a', properties: { title: 't' }, list: [{ only: 1 }] };
  assert.deepEqual(clearAt(value, ['properties', 'title']), { name: 'a', list: [{ only: 1 }] });
  assert.deepEqual(clearAt(value, ['list', 0, 'only']), { ...value, list: [{}] });
  assert.equal(clearAt(value, ['not', 'there']), value);
});

test('pointers and paths are each other', () => {
  const value = { 'a/b': [{ '~c': 1 }] };
  const path = ['a/b', 0, '~c'];
  assert.equal(pointerOf(path), '/a~1b/0/~0c');
  assert.deepEqual(pathOf('/a~1b/0/~0c', value), path);
});

test('items move, and names are made unique', () => {
  const content: Content = { layers: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] };
  const names = (content: Content) =>
    (content['layers'] as { name: string }[]).map(({ name }) => name).join('');
  assert.equal(names(moveItem(content, 'layers', 0, 2)), 'bca');
  assert.equal(uniqueName('a', ['a', 'a-2']), 'a-3');
});

test('all that names an item follows its new name', () => {
  const content: Content = {
    layers: [{ name: 'roads', style: 'red', properties: { availableStyles: ['red', 'blue'] } }],
    styles: [{ name: 'red' }, { name: 'blue' }],
    contentTree: [
      {
        name: 'roads',
        layerName: 'roads',
        onClick: [{ type: 'ActivateLayersCallback', layerNames: ['x', 'roads'] }],
      },
    ],
  };
  const styled = renameItem(content, 'styles', 0, 'crimson');
  assert.deepEqual(getAt(styled, ['layers', 0]), {
    name: 'roads',
    style: 'crimson',
    properties: { availableStyles: ['crimson', 'blue'] },
  });
  const layered = renameItem(content, 'layers', 0, 'streets');
  assert.deepEqual(getAt(layered, ['contentTree', 0, 'layerName']), 'streets');
  assert.deepEqual(getAt(layered, ['contentTree', 0, 'onClick', 0, 'layerNames']), ['x', 'streets']);
  assert.equal(getAt(layered, ['contentTree', 0, 'name']), 'roads');
});
