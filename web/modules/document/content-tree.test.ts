import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Content } from './content.ts';
import {
  layersBelow,
  mayMove,
  moveTo,
  removeFromTree,
  renameInTree,
  stepOf,
  treeOf,
  type TreeNode,
} from './content-tree.ts';

const content = (...items: (string | object)[]): Content => ({
  own: 1,
  contentTree: items.map((item) => (typeof item === 'string' ? { type: 'G', name: item } : item)),
});
const shape = (nodes: readonly TreeNode[]): string =>
  nodes
    .map(({ name, children }) => name.split('.').at(-1) + (children.length > 0 ? `(${shape(children)})` : ''))
    .join(' ');
const names = ({ contentTree }: Content) =>
  (contentTree as { name: string }[]).map(({ name }) => name).join(' ');

test('dots make the tree, weights and the list its order, and groups of other modules are shown', () => {
  assert.equal(shape(treeOf(content('a', 'b', 'a.x', 'a.y', 'a.x.deep'))), 'a(x(deep) y) b');
  assert.equal(shape(treeOf(content('a', { name: 'heavy', weight: 5 }, 'b'))), 'heavy a b');
  const [ghost] = treeOf(content('elsewhere.x'));
  assert.deepEqual([ghost!.name, ghost!.index, ghost!.children[0]!.index], ['elsewhere', undefined, 0]);
  assert.equal(shape(treeOf(content('b.child', 'a', 'b'))), 'a b(child)');
});

test('an item moves with all below it, and nothing else changes', () => {
  const before = content('a', 'a.x', 'b', 'c');
  const moved = moveTo(before, 'a', 'c', 'after');
  assert.deepEqual([names(moved.content), moved.name, moved.content['own']], ['b c a a.x', 'a', 1]);
  const nested = moveTo(before, 'a', 'b', 'inside');
  assert.deepEqual([names(nested.content), nested.name], ['b b.a b.a.x c', 'b.a']);
  const out = moveTo(nested.content, 'b.a.x', 'b', 'before');
  assert.equal(names(out.content), 'x b b.a c');
});

test('an existing name becomes another, and nothing can be moved into itself', () => {
  const before = content('x', 'g', 'g.x');
  assert.equal(names(moveTo(before, 'x', 'g', 'inside').content), 'g g.x g.x-2');
  assert.equal(mayMove('g', 'g.x'), false);
  assert.equal(moveTo(before, 'g', 'g.x', 'inside').content, before);
});

test('siblings get new weights when the current ones contradict the order', () => {
  const before = content({ name: 'a', weight: 9 }, { name: 'b', weight: 5 }, 'c');
  assert.equal(shape(treeOf(moveTo(before, 'c', 'a', 'before').content)), 'c a b');
  const plain = content('a', 'b');
  const { contentTree } = moveTo(plain, 'b', 'a', 'before').content;
  assert.deepEqual(contentTree, [
    { type: 'G', name: 'b' },
    { type: 'G', name: 'a' },
  ]);
});

test('steps by keyboard go up, down, in and out', () => {
  const before = content('a', 'g', 'g.x', 'b');
  const step = (name: string, direction: 'up' | 'down' | 'in' | 'out') => {
    const to = stepOf(before, name, direction);
    return to && names(moveTo(before, name, to.target, to.place).content);
  };
  assert.equal(step('b', 'up'), 'a b g g.x');
  assert.equal(step('a', 'down'), 'g g.x a b');
  assert.equal(step('b', 'in'), 'a g g.x g.b');
  assert.equal(step('g.x', 'out'), 'a g x b');
  assert.equal(step('a', 'up'), undefined);
  assert.equal(step('a', 'in'), undefined);
  assert.equal(step('a', 'out'), undefined);
});

test('an item is renamed and removed with all below it', () => {
  const before = content('a', 'a.x', 'b');
  assert.equal(names(renameInTree(before, 'a', 'new.name').content), 'new-name new-name.x b');
  assert.equal(renameInTree(before, 'a', 'b').name, 'b-2');
  assert.equal(names(removeFromTree(before, 'a')), 'b');
});

test('the layers of a group are those of all below it', () => {
  const tree = treeOf(
    content('g', { name: 'g.a', layerName: 'one' }, { name: 'g.b', layerNames: ['two', 'three'] }),
  );
  assert.deepEqual(layersBelow(tree[0]!), ['one', 'two', 'three']);
});
