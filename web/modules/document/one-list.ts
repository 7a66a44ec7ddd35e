import { layersBelow, moveTo, removeFromTree, treeOf, type TreeNode } from './content-tree.ts';
import { getAt, itemsOf, setAt, textOf, type Content } from './content.ts';

/** What visitors see as one layer: an item of the content tree with its layers, or a layer without an item. */
export interface LayerRow {
  /** The layer that is edited: the last of them, above its casing. */
  readonly index: number;
  /** All its layers, by their indexes. */
  readonly layers: readonly number[];
  /** Name of its item in the content tree; undefined without one. */
  readonly treeName: string | undefined;
}

/** Layers that are not drawn one above the other. */
const solids = new Set(['CesiumTilesetLayer', 'PointCloudLayer', 'I3SLayer', 'TerrainLayer']);

/**
 * The content tree and the layers of a module as one list, the upmost layer first; undefined if somebody has parted them:
 * by groups, or by several items of one layer.
 */
export function layerRows(content: Content): readonly LayerRow[] | undefined {
  const indexes = new Map(itemsOf(content, 'layers').map(({ name }, index) => [textOf(name), index]));
  const rows: LayerRow[] = [];
  for (const node of treeOf(content)) {
    const layers = layersOf(node, indexes);
    if (node.children.length > 0) return undefined;
    if (layers.length > 0) rows.push({ index: layers.at(-1)!, layers, treeName: node.name });
  }
  const inTree = rows.flatMap(({ layers }) => layers);
  if (new Set(inTree).size < inTree.length) return undefined;
  const others = itemsOf(content, 'layers').flatMap((_, index) => (inTree.includes(index) ? [] : [index]));
  return [...rows, ...others.map((index) => ({ index, layers: [index], treeName: undefined }))];
}

const layersOf = (node: TreeNode, indexes: ReadonlyMap<string | undefined, number>): number[] =>
  layersBelow(node).flatMap((name) => indexes.get(name) ?? []);

/** Moves a row to the place of another, in the content tree and in the order in which layers are drawn. */
export function moveRow(content: Content, rows: readonly LayerRow[], from: number, to: number): Content {
  const [moved, target] = [rows[from], rows[to]];
  if (!moved || !target || from === to) return content;
  const inTree =
    moved.treeName === undefined || target.treeName === undefined
      ? content
      : moveTo(content, moved.treeName, target.treeName, to > from ? 'after' : 'before').content;
  return stacked(inTree, rows.toSpliced(from, 1).toSpliced(to, 0, moved));
}

/** Numbers the layers so that each row is drawn above the following ones. */
function stacked(content: Content, rows: readonly LayerRow[]): Content {
  const layers = itemsOf(content, 'layers');
  const orderOf = (index: number) => Number(layers[index]?.['zIndex'] ?? 0);
  const flat = rows
    .toReversed()
    .flatMap((row) => row.layers.toSorted((a, b) => orderOf(a) - orderOf(b) || a - b))
    .filter((index) => !solids.has(String(layers[index]?.['type'])));
  const lowest = Math.min(...flat.map(orderOf));
  return flat.reduce<Content>(
    (next, index, at) => setAt(next, ['layers', index, 'zIndex'], lowest + at) as Content,
    content,
  );
}

/** Removes a row with its layers and its item. */
export function removeRow(content: Content, { layers, treeName }: LayerRow): Content {
  const rest = itemsOf(content, 'layers').filter((_, index) => !layers.includes(index));
  const without: Content = { ...content, layers: rest };
  return treeName === undefined ? without : removeFromTree(without, treeName);
}

/** Gives a row a title, in the content tree and wherever else the layer is named. */
export function renameRow(content: Content, { index, treeName }: LayerRow, title: string): Content {
  const layer = setAt(content, ['layers', index, 'properties', 'title'], title) as Content;
  const at = itemsOf(content, 'contentTree').findIndex(({ name }) => name === treeName);
  return at === -1 ? layer : (setAt(layer, ['contentTree', at, 'title'], title) as Content);
}

/** Whether the map shows any layer of a row at its start. */
export const isRowOn = (content: Content, { layers }: LayerRow): boolean =>
  layers.some((index) => getAt(content, ['layers', index, 'activeOnStartup']) === true);

export const switchRow = (content: Content, { layers }: LayerRow, isOn: boolean): Content =>
  layers.reduce<Content>(
    (next, index) => setAt(next, ['layers', index, 'activeOnStartup'], isOn) as Content,
    content,
  );

/** The title of a row in a language: titles may be keys of the module's translations. */
export function titleOfRow(content: Content, { index, treeName }: LayerRow, language: string): string {
  const item = itemsOf(content, 'contentTree').find(({ name }) => name === treeName);
  const layer = itemsOf(content, 'layers')[index];
  const title =
    textOf(item?.['title']) || textOf(getAt(layer, ['properties', 'title'])) || textOf(layer?.['name']);
  return title === undefined || title === '' ? '–' : (translated(content, title, language) ?? title);
}

function translated(content: Content, key: string, language: string): string | undefined {
  const words = itemsOf(content, 'i18n').map((one) => getAt(one, [language, ...key.split('.')]));
  return words.map(textOf).findLast((one) => one !== undefined);
}
