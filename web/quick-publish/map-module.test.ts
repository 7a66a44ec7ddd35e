import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CardDesign } from '@platen/contract/cards';
import { addedModule, mapModule } from './map-module.ts';

test('data that is added to a map takes the place of nothing there, and brings the kinds of maps that it lacks', () => {
  const bbox = [11, 49, 12, 50];
  const options = { name: 'Hills', datasource: { type: 'qmesh', bbox, properties: {} }, layer: {} } as const;
  const names = (module: Record<string, unknown>) =>
    ['layers', 'viewpoints', 'contentTree', 'i18n'].flatMap((list) =>
      (module[list] as { name: string }[]).map(({ name }) => name),
    );
  const added = addedModule(options, { mark: '-7', mapTypes: new Set(['OpenlayersMap']) });
  assert.deepEqual(names(added), ['data-7', 'start-7', 'data-7', 'start-7', 'map-7']);
  assert.deepEqual(
    (added['maps'] as { type: string }[]).map(({ type }) => type),
    ['CesiumMap'],
  );
  for (const field of ['uiConfig', 'startingMapName', 'startingViewpointName'])
    assert.equal(added[field], undefined, field);
  const [layer] = added['layers'] as { properties: object }[];
  assert.deepEqual(layer!.properties, { title: 'map-7.layer', relief: true });
  const [texts] = added['i18n'] as Record<string, Record<string, object>>[];
  assert.deepEqual(texts!['de']!['map-7'], { layer: 'Hills', start: 'Ansicht: Hills' });
  const there = addedModule(options, { mark: '-7', mapTypes: new Set(['CesiumMap']) });
  assert.equal(there['maps'], undefined);
});

test('a click shows a card, and all attributes of features whose attributes are not known', () => {
  const card: CardDesign = { place: 'balloon', rows: [{ type: 'text', attribute: 'height' }] };
  const shownOf = (type: 'geojson' | 'tileset' | 'tms', design?: CardDesign) => {
    const made = mapModule({ name: 'x', datasource: { type, properties: {} }, layer: {}, card: design });
    const [view] = (made['featureInfo'] ?? []) as { name: string; type: string }[];
    const [layer] = made['layers'] as { properties: { featureInfo?: string } }[];
    assert.equal(layer!.properties.featureInfo, view?.name);
    return view?.type;
  };
  assert.equal(shownOf('geojson', card), 'BalloonFeatureInfoView');
  assert.equal(shownOf('tileset', card), 'BalloonFeatureInfoView');
  assert.equal(shownOf('geojson', { place: 'balloon', rows: [] }), 'TableFeatureInfoView');
  assert.equal(shownOf('tms'), undefined);
});

test('the legend is open at start where colours have a meaning', () => {
  const settings = (rows: number) => {
    const legend = [{ type: 'StyleLegendItem', rows: Array(rows).fill({}) }];
    const style = { type: 'DeclarativeStyleItem', declarativeStyle: {}, properties: { legend } };
    const datasource = { type: 'geojson', properties: {} } as const;
    const { uiConfig } = mapModule({ name: 'x', datasource, layer: {}, style });
    return (uiConfig as { name: string }[]).map(({ name }) => name);
  };
  assert.ok(settings(2).includes('openLegendOnAdd'));
  assert.ok(!settings(1).includes('openLegendOnAdd'));
});

test('the module starts at the data, and keeps a style that the data has', () => {
  const datasource = { type: 'geojson', bbox: [9, 48, 10, 49], properties: {} } as const;
  const plain = mapModule({
    name: 'A {b} | c',
    datasource: { ...datasource, bbox: [...datasource.bbox] },
    layer: { type: 'GeoJSONLayer', datasourceId: 'd' },
  });
  const [shown] = plain['layers'] as Record<string, unknown>[];
  assert.equal((shown!['style'] as { type: string }).type, 'VectorStyleItem');
  assert.equal(shown!['datasourceId'], 'd');
  const [start] = plain['viewpoints'] as { groundPosition: number[]; distance: number }[];
  assert.deepEqual(start!.groundPosition, [9.5, 48.5, 0]);
  assert.ok(start!.distance > 100_000 && start!.distance < 300_000);
  assert.match(JSON.stringify(plain['i18n']), /A \{'\{'\}b\{'\}'\} \{'\|'\} c/);
  const styled = mapModule({
    name: 'x',
    datasource: { type: 'vectortiles', properties: {} },
    layer: { type: 'VectorTileLayer', style: 'own' },
  });
  assert.equal((styled['layers'] as { style: unknown }[])[0]!.style, 'own');
  assert.equal(styled['startingViewpointName'], undefined);
  const city = mapModule({ name: 'x', datasource: { type: 'tileset', properties: {} }, layer: {} });
  assert.equal((city['maps'] as unknown[]).length, 1);
});

function tiled(kind: string, bbox: number[], baseLevels: number[], style: unknown = 'own') {
  const { layers, contentTree } = mapModule({
    name: 'x',
    datasource: { type: 'vectortiles', bbox, properties: { geometryTypes: [kind] } },
    layer: {
      type: 'VectorTileLayer',
      renderer: 'primitive',
      style,
      tileProvider: { type: 'MVTTileProvider', baseLevels },
    },
  });
  return { layers: layers as Record<string, unknown>[], tree: contentTree as Record<string, unknown>[] };
}

test('lines lie above a casing, and polygons are one layer', () => {
  const { layers, tree } = tiled('LineString', [9, 48, 10, 49], [0, 6, 12]);
  assert.deepEqual(
    layers.map(({ name, renderer, zIndex }) => [name, renderer, zIndex]),
    [
      ['data-casing', 'primitive', 10],
      ['data', 'primitive', 11],
    ],
  );
  assert.equal(layers[0]!['allowPicking'], false);
  assert.deepEqual(tree[0]!['layerNames'], ['data-casing', 'data']);
  const polygons = tiled('Polygon', [9, 48, 10, 49], [0, 6, 12]);
  assert.deepEqual(
    polygons.layers.map(({ name }) => name),
    ['data'],
  );
  assert.equal(polygons.tree[0]!['layerName'], 'data');
});

test('points are drawn as they are, and those of the whole world are hidden behind the globe', () => {
  const levelsOf = (bbox: number[], baseLevels: number[]) =>
    tiled('Point', bbox, baseLevels).layers.map(({ name, renderer, minLevel, maxLevel }) => {
      assert.equal(renderer, 'primitive');
      return [name, minLevel, maxLevel];
    });
  const world = [-180, -80, 180, 80];
  assert.deepEqual(levelsOf([9, 48, 10, 49], [0, 12]), [['data', undefined, undefined]]);
  assert.deepEqual(levelsOf([170, -20, -170, -10], [0, 12]), [['data', undefined, undefined]]);
  assert.deepEqual(levelsOf(world, [0, 5]), [['data', undefined, undefined]]);
  assert.deepEqual(levelsOf(world, [0, 12]), [
    ['data-far', undefined, 5],
    ['data', 6, undefined],
  ]);
  const legend = [{ type: 'StyleLegendItem', rows: [] }];
  const style = { type: 'DeclarativeStyleItem', declarativeStyle: {}, properties: { legend } };
  const legends = tiled('Point', world, [0, 12], style).layers.map(
    (layer) => (layer['style'] as typeof style).properties.legend,
  );
  assert.deepEqual(legends, [undefined, legend], 'one legend for both');
});
