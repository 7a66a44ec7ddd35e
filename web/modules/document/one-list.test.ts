import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOf, type Content } from './content.ts';
import {
  isRowOn,
  layerRows,
  moveRow,
  removeRow,
  renameRow,
  switchRow,
  titleOfRow,
  type LayerRow,
} from './one-list.ts';
import { withStartView } from './start-view.ts';

const tree = (name: string, ...layerNames: string[]) =>
  layerNames.length === 1
    ? { type: 'LayerContentTreeItem', name, title: name.toUpperCase(), layerName: layerNames[0] }
    : { type: 'LayerGroupContentTreeItem', name, title: 'map.roads', layerNames };
const content: Content = {
  layers: [
    { type: 'GeoJSONLayer', name: 'lamps', activeOnStartup: true, zIndex: 4 },
    { type: 'VectorTileLayer', name: 'casing', zIndex: 9 },
    { type: 'VectorTileLayer', name: 'roads', zIndex: 10 },
    { type: 'CesiumTilesetLayer', name: 'houses' },
    { type: 'GeoJSONLayer', name: 'hidden' },
  ],
  contentTree: [
    tree('lamps', 'lamps'),
    tree('roads', 'casing', 'roads'),
    tree('houses', 'houses'),
    { type: 'ViewpointContentTreeItem', name: 'start', viewpointName: 'start' },
  ],
  i18n: [{ name: 'map', de: { map: { roads: 'Straßen' } }, en: { map: { roads: 'Roads' } } }],
};
const rows = (of: Content): readonly LayerRow[] => layerRows(of)!;
const names = (of: Content) => rows(of).map(({ index }) => itemsOf(of, 'layers')[index]!['name']);
const drawn = (of: Content) =>
  itemsOf(of, 'layers')
    .filter(({ zIndex }) => zIndex !== undefined)
    .toSorted((a, b) => Number(b['zIndex']) - Number(a['zIndex']))
    .map(({ name }) => name);

test('content tree and layers are one list: a layer with its casing is one row, and those without an item follow', () => {
  assert.deepEqual(names(content), ['lamps', 'roads', 'houses', 'hidden']);
  assert.deepEqual(rows(content)[1]!.layers, [1, 2]);
  assert.deepEqual(
    rows(content).map((row) => titleOfRow(content, row, 'de')),
    ['LAMPS', 'Straßen', 'HOUSES', 'hidden'],
  );
});

test('groups, and several items of one layer, part the content tree from the layers', () => {
  const items = itemsOf(content, 'contentTree');
  const grouped = { ...content, contentTree: [...items, { name: 'group' }, tree('group.more', 'hidden')] };
  assert.equal(layerRows(grouped), undefined);
  assert.equal(layerRows({ ...content, contentTree: [...items, tree('again', 'lamps')] }), undefined);
});

test('a moved row moves in the content tree and in the order of drawing, together with its casing', () => {
  const moved = moveRow(content, rows(content), 1, 0);
  assert.deepEqual(names(moved), ['roads', 'lamps', 'houses', 'hidden']);
  assert.deepEqual(drawn(moved), ['roads', 'casing', 'lamps', 'hidden']);
  const back = moveRow(moved, rows(moved), 0, 1);
  assert.deepEqual(names(back), ['lamps', 'roads', 'houses', 'hidden']);
  assert.deepEqual(drawn(back), ['lamps', 'roads', 'casing', 'hidden']);
  assert.equal(moveRow(content, rows(content), 0, -1), content);
});

test('a row is removed, named and switched as a whole', () => {
  const removed = removeRow(content, rows(content)[1]!);
  assert.deepEqual(names(removed), ['lamps', 'houses', 'hidden']);
  const renamed = renameRow(content, rows(content)[1]!, 'Streets');
  assert.equal(titleOfRow(renamed, rows(renamed)[1]!, 'de'), 'Streets');
  assert.deepEqual(itemsOf(renamed, 'layers')[2]!['properties'], { title: 'Streets' });
  const on = switchRow(content, rows(content)[1]!, true);
  assert.deepEqual(
    [
      isRowOn(content, rows(content)[1]!),
      isRowOn(on, rows(on)[1]!),
      itemsOf(on, 'layers')[1]!['activeOnStartup'],
    ],
    [false, true, true],
  );
});

test('the view at the start is that of the starting viewpoint, or of a new one', () => {
  const view = {
    groundPosition: [8, 50, 0],
    cameraPosition: [8, 49, 900],
    distance: 900,
    heading: 0,
    pitch: -45,
    roll: 0,
  };
  const first = withStartView({ viewpoints: [{ type: 'Viewpoint', name: 'start' }] }, view);
  assert.equal(first['startingViewpointName'], 'start-2');
  const { cameraPosition: _, ...looks } = view;
  assert.deepEqual(itemsOf(first, 'viewpoints')[1], { type: 'Viewpoint', name: 'start-2', ...looks });
  const second = withStartView(first, { cameraPosition: [1, 2, 3], pitch: -90 });
  assert.deepEqual(itemsOf(second, 'viewpoints')[1], {
    type: 'Viewpoint',
    name: 'start-2',
    cameraPosition: [1, 2, 3],
    pitch: -90,
  });
});
