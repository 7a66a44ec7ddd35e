import assert from 'node:assert/strict';
import { test } from 'node:test';
import { supportedTypes } from '@platen/viewer/supported-types';
import { startService } from '../testing.ts';

const { admin } = await startService();
const { _id: projectId } = await admin.postProject({
  body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
});
const params = { projectId };

test('all installed map viewers are listed with what they know, the newest first', async () => {
  const { items } = await admin.getMapVersions();
  assert.deepEqual(
    items.map(({ version }) => version.replace(/\.\d+$/, '')),
    ['6.3', '6.2', '5.0'],
  );
  for (const { version, types } of items) assert.deepEqual(types, supportedTypes(version));
});

const layer = (type: string, rest: object = {}) => ({ type, name: type, url: `/data/${type}`, ...rest });
const extent = { coordinates: [0, 0, 1, 1], projection: { epsg: 4326 } };
const module = {
  name: 'Everything',
  maps: [
    { type: 'OpenlayersMap', name: 'flat' },
    { type: 'CesiumMap', name: 'globe' },
    { type: 'PanoramaMap', name: 'panorama' },
  ],
  layers: [
    layer('GeoJSONLayer'),
    layer('FlatGeobufLayer'),
    layer('COGLayer'),
    layer('I3SLayer'),
    layer('MapboxStyleLayer'),
    layer('WMTSLayer', { extent, layer: 'a', tileMatrixSetID: 'b' }),
  ],
  flights: [{ name: 'round', url: '/data/flight' }],
  contentTree: [{ type: 'FlightContentTreeItem', name: 'round', flightName: 'round', title: 'Round' }],
  featureInfo: [{ type: 'MarkdownFeatureInfoView', name: 'text', template: '# {{title}}' }],
};

const lacking = {
  '^6': [],
  '~6.2': ['I3SLayer', 'MapboxStyleLayer'],
  '^5': [
    'COGLayer',
    'FlatGeobufLayer',
    'FlightContentTreeItem',
    'I3SLayer',
    'MapboxStyleLayer',
    'MarkdownFeatureInfoView',
    'PanoramaMap',
  ],
};

test('an app is warned of each type that its engine does not know, for every engine', async () => {
  const { _id: moduleId } = await admin.postProjectModule({ params, body: module });
  const { _id: appId } = await admin.postProjectApp({ params, body: { name: 'Map', moduleIds: [moduleId] } });
  for (const [mapVersion, types] of Object.entries(lacking)) {
    const { warnings } = await admin.putProjectApp({ params: { projectId, appId }, body: { mapVersion } });
    const unsupported = warnings!.filter(({ code }) => code === 'unsupportedType');
    const said = unsupported.map(({ detail }) => types.find((type) => detail.includes(type)) ?? detail);
    assert.deepEqual(said.toSorted(), types, mapVersion);
  }
});
