import { itemsOf, setAt, textOf, uniqueName, type Content, type Item } from './content.ts';

/** An item of the content tree, or a group that another module provides. */
export interface TreeNode {
  /** All segments, joined by dots. */
  readonly name: string;
  /** Index in the list; undefined for a group that is only named by its children. */
  readonly index: number | undefined;
  readonly item: Item;
  readonly children: readonly TreeNode[];
}

interface MutableNode {
  readonly name: string;
  index: number | undefined;
  item: Item;
  readonly children: MutableNode[];
}

const parentOf = (name: string) => name.slice(0, Math.max(0, name.lastIndexOf('.')));
const lastOf = (name: string) => name.slice(name.lastIndexOf('.') + 1);
const weightOf = ({ weight }: Item) => (typeof weight === 'number' ? weight : 0);
const isWithin = (name: string, ancestor: string) => name === ancestor || name.startsWith(`${ancestor}.`);
const joined = (parent: string, last: string) => (parent === '' ? last : `${parent}.${last}`);

/** The tree as the map viewer shows it: siblings by descending weight, then in the order of the list. */
export function treeOf(content: Content): readonly TreeNode[] {
  const roots: MutableNode[] = [];
  const known = new Map<string, MutableNode>();
  const grow = (name: string): MutableNode => {
    const found = known.get(name);
    if (found) return found;
    const node: MutableNode = { name, index: undefined, item: {}, children: [] };
    known.set(name, node);
    const parent = parentOf(name);
    (parent === '' ? roots : grow(parent).children).push(node);
    return node;
  };
  for (const [index, item] of itemsOf(content, 'contentTree').entries()) {
    const node = grow(textOf(item['name']) ?? '');
    node.index ??= index;
    node.item = node.index === index ? item : node.item;
  }
  return sorted(roots);
}

/** A group first named by a child takes the position of its own item in the list. */
function sorted(nodes: readonly MutableNode[]): TreeNode[] {
  const order = ({ index, children }: MutableNode): number =>
    index ?? Math.min(Infinity, ...children.map(order));
  return nodes
    .toSorted((a, b) => weightOf(b.item) - weightOf(a.item) || order(a) - order(b))
    .map((node) => Object.assign(node, { children: sorted(node.children) }));
}

export type Place = 'before' | 'inside' | 'after';

/** Whether an item may be moved to a target: never into itself. */
export const mayMove = (name: string, target: string) => !isWithin(target, name);

/** Moves an item and everything below it before, into or after another. Also returns its new name. */
export function moveTo(
  content: Content,
  name: string,
  target: string,
  place: Place,
): { content: Content; name: string } {
  if (!mayMove(name, target)) return { content, name };
  const parent = place === 'inside' ? target : parentOf(target);
  const items = itemsOf(content, 'contentTree');
  const moved = items.filter((item) => isWithin(nameOf(item), name));
  const rest = items.filter((item) => !moved.includes(item));
  const renamed = joined(parent, uniqueLast(rest, parent, lastOf(name)));
  const block = moved.map((item) => withName(item, renamed + nameOf(item).slice(name.length)));
  const at = placeInList(rest, target, place);
  const list = [...rest.slice(0, at), ...block, ...rest.slice(at)];
  const siblings = wantedOrder(content, { name, target, place, renamed });
  return { content: weighed({ ...content, contentTree: list }, siblings), name: renamed };
}

const withName = (item: Item, name: string): Item => ({ ...item, name });
const nameOf = (item: Item) => textOf(item['name']) ?? '';

function uniqueLast(rest: readonly Item[], parent: string, last: string): string {
  const siblings = rest.map(nameOf).filter((name) => parentOf(name) === parent);
  return uniqueName(last, siblings.map(lastOf));
}

function placeInList(rest: readonly Item[], target: string, place: Place): number {
  const within = rest.flatMap((item, index) => (isWithin(nameOf(item), target) ? [index] : []));
  if (within.length === 0) return rest.length;
  return place === 'before' ? within[0]! : within.at(-1)! + 1;
}

/** The names of the new siblings in the order to be shown. */
function wantedOrder(
  content: Content,
  { name, target, place, renamed }: { name: string; target: string; place: Place; renamed: string },
): string[] {
  const parent = place === 'inside' ? target : parentOf(target);
  const level = parent === '' ? treeOf(content) : (findNode(treeOf(content), parent)?.children ?? []);
  const names = level.map((node) => node.name).filter((one) => one !== name);
  const at = place === 'inside' ? names.length : names.indexOf(target) + (place === 'after' ? 1 : 0);
  return names.toSpliced(at, 0, renamed);
}

/** Assigns new weights to all siblings if the current ones contradict the wanted order. */
function weighed(content: Content, names: readonly string[]): Content {
  const items = itemsOf(content, 'contentTree');
  const weights = names.map((name) => weightOf(items.find((item) => nameOf(item) === name) ?? {}));
  if (weights.every((weight, at) => at === 0 || weights[at - 1] === weight)) return content;
  return names.reduce<Content>((changed, name, at) => {
    const index = items.findIndex((item) => nameOf(item) === name);
    const weight = (names.length - at) * 10;
    return index === -1 ? changed : (setAt(changed, ['contentTree', index, 'weight'], weight) as Content);
  }, content);
}

export type Direction = 'up' | 'down' | 'in' | 'out';

/** The target of a move by keyboard; undefined if there is none. */
export function stepOf(
  content: Content,
  name: string,
  direction: Direction,
): { target: string; place: Place } | undefined {
  const tree = treeOf(content);
  const parent = parentOf(name);
  const level = parent === '' ? tree : (findNode(tree, parent)?.children ?? []);
  const at = level.findIndex((node) => node.name === name);
  if (direction === 'out') return parent === '' ? undefined : { target: parent, place: 'after' };
  const neighbour = level[direction === 'down' ? at + 1 : at - 1];
  if (at === -1 || !neighbour) return undefined;
  const place = { up: 'before', down: 'after', in: 'inside' } as const;
  return { target: neighbour.name, place: place[direction] };
}

export function findNode(nodes: readonly TreeNode[], name: string): TreeNode | undefined {
  for (const node of nodes) {
    if (node.name === name) return node;
    if (isWithin(name, node.name)) return findNode(node.children, name);
  }
  return undefined;
}

/** Removes an item and everything below it. */
export const removeFromTree = (content: Content, name: string): Content => ({
  ...content,
  contentTree: itemsOf(content, 'contentTree').filter((item) => !isWithin(nameOf(item), name)),
});

/** Changes the last segment of an item's name, and the names of its children accordingly. */
export function renameInTree(
  content: Content,
  name: string,
  last: string,
): { content: Content; name: string } {
  const items = itemsOf(content, 'contentTree');
  const others = items.filter((item) => !isWithin(nameOf(item), name));
  const renamed = joined(parentOf(name), uniqueLast(others, parentOf(name), last.replaceAll('.', '-')));
  const contentTree = items.map((item) =>
    isWithin(nameOf(item), name) ? withName(item, renamed + nameOf(item).slice(name.length)) : item,
  );
  return { content: { ...content, contentTree }, name: renamed };
}

/** The names of all layers that an item and its descendants show. */
export function layersBelow({ item, children }: TreeNode): string[] {
  const { layerName, layerNames } = item;
  const own = [layerName, ...(Array.isArray(layerNames) ? (layerNames as unknown[]) : [])];
  return [...own.flatMap((name) => textOf(name) ?? []), ...children.flatMap(layersBelow)];
}
