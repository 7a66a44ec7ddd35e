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
