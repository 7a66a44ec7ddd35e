import type { MapStyle } from '@platen/contract/map-styles';
import { styleItem } from '@platen/styles/style-item';
import { formOf, packPlugin } from '../../apps/map-plugins/testing.ts';
import type { Recorder } from './testing-recorder.ts';

/** Datasources, modules, apps with their releases and links, and scenarios. */
export async function recordMaps(recorder: Recorder, web: string): Promise<void> {
  const { call, ids } = recorder;
  await recordDatasources(recorder, web);
  const config = await call('getProjectDatasourceConfig');
  const { location: _location, ...layer } = config;
  const module = {
    name: 'Aerial images',
    maps: [
      { type: 'CesiumMap', name: 'globe' },
      { type: 'OpenlayersMap', name: 'map' },
    ],
    startingMapName: 'globe',
    layers: [{ ...layer, activeOnStartup: true }],
    contentTree: [
      { type: 'LayerContentTreeItem', name: 'images', layerName: layer['name'] as string, title: 'Images' },
    ],
  };
  const { _id: moduleId } = await call('postProjectModule', { body: module });
  ids['moduleId'] = moduleId;
  await call('putProjectModule', { body: { description: 'Newest flight' } });
  await call('postProjectModulePreview', { body: { modules: [{ moduleId }], isApp: true } });
  const { _id: appId } = await call('postProjectApp', {
    body: { name: 'Harbour map', description: '', mapVersion: '^6.3.0', moduleIds: [moduleId] },
  });
  ids['appId'] = appId;
  await call('putProjectApp', { body: { slug: 'harbour', frameOrigins: ['https://www.city.example'] } });
  await call('getProjectBaseMaps');
  await recordReleases(recorder);
  await recordVisitors(recorder);
  const { _id: scenarioId } = await call('postProjectScenario', {
    body: { name: 'With a bridge', moduleIds: [moduleId], appId },
  });
  ids['scenarioId'] = scenarioId;
  await call('putProjectScenario', { body: { description: 'Planned for 2031' } });
  const headers = { 'content-type': 'application/octet-stream' };
  await call('postMapPlugin', { headers, body: await packPlugin() });
  await call('postMapPluginUpload', { headers, body: await packPlugin({ version: '1.0.1' }) });
  const form = new Request('http://localhost', {
    method: 'POST',
    body: formOf(await packPlugin({ version: '1.0.2' })),
  });
  await call('postMapPluginUploadBundle', {
    headers: { 'content-type': form.headers.get('content-type')! },
    body: Buffer.from(await form.arrayBuffer()),
  });
}

async function recordStyleFiles(call: Recorder['call']): Promise<void> {
  const style: MapStyle = { colour: { type: 'single', colour: '#0e6b78' }, outline: null };
  const words = { locale: 'en', others: 'Other', noValue: 'No value' };
  const item = { ...styleItem(style, 'area', words), name: 'Parks' };
  await call('putProjectDatasource', { body: { properties: { styles: [item] } } });
  await call('getProjectDatasourceStyleExport', { query: { format: 'sld-1.1' } });
  const { text } = await call('postProjectStyleExport', {
    body: { style, shape: 'area', name: 'Parks', format: 'sld-1.0' },
  });
  await call('postProjectStyleImport', { body: { text } });
}

async function recordDatasources({ call, ids }: Recorder, web: string): Promise<void> {
  await call('postProjectDatasourceProbe', { body: { url: `${web}/wms` } });
  const { _id } = await call('postProjectDatasource', {
    body: {
      name: 'Aerial images',
      type: 'wms',
      typeProperties: { layers: ['dop20'], version: '1.3.0', format: 'image/png' },
      sourceProperties: { type: 'external', url: 'https://maps.example.org/wms' },
      bbox: [9.8, 53.4, 10.2, 53.7],
    },
  });
  ids['datasourceId'] = _id;
  await call('putProjectDatasource', { body: { typeProperties: { opacity: 0.8 } } });
  await recordStyleFiles(call);
}

async function recordReleases({ call, ids }: Recorder): Promise<void> {
  const first = await call('postProjectAppRelease', { body: { note: 'First' } });
  await call('putProjectModule', { body: { description: 'Flight of 2026' } });
  const second = await call('postProjectAppRelease', { body: { note: 'Flight of 2026' } });
  ids['releaseId'] = second['_id'];
  await call('postProjectAppReleaseRestore', { path: { releaseId: first['_id'] } });
  await call('deleteProjectAppShownRelease');
  const hidden = await call('postProjectAppRelease', { body: { note: 'By mistake', show: false } });
  await call('deleteProjectAppRelease', { path: { releaseId: hidden['_id'] } });
}

async function recordVisitors({ call, ids }: Recorder): Promise<void> {
  const { _id } = await call('postProjectAppShareLink', { body: { name: 'For the council', maxUses: 50 } });
  ids['shareLinkId'] = _id;
  await call('putProjectAppShareLink', { body: { expiresAt: '2099-12-31T23:00:00.000Z' } });
  await call('postProjectAppCapability');
  await call('deleteProjectAppCapability');
  await call('deleteProjectAppCapabilities');
  await call('putProjectAppGuest');
  await call('getProjectAppGuests');
  await call('putIamRole', {
    path: { roleId: 'appGuest', resourceId: ids['appId']! },
    query: { principalIds: [ids['userId']!] },
  });
  await call('putProjectAppPublic');
  await call('putProjectAppPicture', {
    headers: { 'content-type': 'application/octet-stream' },
    body: picture,
  });
  await call('getProjectAppPicture');
}

/** A PNG of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
