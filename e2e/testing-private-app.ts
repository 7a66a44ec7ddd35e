import type { RunningService } from './processes.ts';
import { untilFactsAreKnown } from './testing-facts.ts';
import { makeSamples, places, type Sample } from './testing-layers.ts';

export const guest = { username: 'guest', password: 'tomatoes grow slowly' };

/** An app that is not public, and what it shows. */
export interface App {
  readonly service: RunningService;
  readonly address: string;
  readonly params: { readonly projectId: string; readonly appId: string };
  readonly dataBucketId: string;
  readonly samples: readonly (Sample & { readonly datasourceId: string })[];
}

/** Uploads the samples, and gives an app of all their layers to a guest, and to nobody else. */
export async function publish(service: RunningService): Promise<App> {
  const { client, url } = service;
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({
    body: { name: 'City', description: '', bbox: [-180, -85, 180, 85] },
  });
  const place = { projectId, dataBucketId };
  const { samples, layers, obliqueCollections } = await register(service, place, await makeSamples());
  const module = { name: 'City', layers, obliqueCollections, ...frame };
  const { _id: moduleId } = await client.postProjectModule({ params: place, body: module as never });
  const { _id: appId } = await client.postProjectApp({
    params: place,
    body: { name: 'City', mapVersion: '^6.3.0', moduleIds: [moduleId] },
  });
  const { _id: guestId } = await client.postUser({ body: guest });
  await client.putIamRole({
    params: { roleId: 'appGuest', resourceId: appId },
    query: { principalIds: [guestId] },
  });
  return { service, address: `${url}/app/${appId}/`, params: { projectId, appId }, dataBucketId, samples };
}

interface Place {
  readonly projectId: string;
  readonly dataBucketId: string;
}

/** Datasources of the samples, and the layers that show them. */
async function register({ client }: RunningService, place: Place, given: readonly Sample[]) {
  const { projectId, dataBucketId } = place;
  const form = new FormData();
  for (const [key, content] of given.flatMap(({ files }) => Object.entries(files)))
    form.append(key, new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), 'file');
  await client.postProjectDataBucketUpload({ params: place, body: form });
  const samples: App['samples'][number][] = [];
  const layers: object[] = [];
  const obliqueCollections: object[] = [];
  const ids = new Map<string, string>();
  for (const sample of given) {
    const { name, type, key, typeProperties, properties, bbox, urlSuffix } = sample;
    const source = { type: 'internal', dataBucketId, dataBucketKey: key } as const;
    const { _id: datasourceId } = await client.postProjectDatasource({
      params: place,
      body: {
        name,
        type,
        sourceProperties: urlSuffix === undefined ? source : { ...source, urlSuffix },
        ...(typeProperties && { typeProperties }),
        ...(properties && { properties }),
        ...(bbox && { bbox: [...bbox] }),
      },
    });
    ids.set(name, datasourceId);
    samples.push({ ...sample, datasourceId });
    const params = { projectId, datasourceId };
    if (type === 'vectortiles') await untilFactsAreKnown(client, params);
    const bare = async () => {
      const { type: layerType } = await client.getProjectDatasourceConfig({ params });
      return { type: layerType, datasourceId }; // all options come from the datasource when the app is compiled
    };
    const layer = sample.layer?.(datasourceId, ids) ?? (await bare());
    (type === 'oblique' ? obliqueCollections : layers).push({ ...layer, name, activeOnStartup: false });
  }
  return { samples, layers, obliqueCollections };
}

const frame = {
  maps: [
    { type: 'CesiumMap', name: 'globe' },
    { type: 'OpenlayersMap', name: 'flat' },
    { type: 'ObliqueMap', name: 'oblique' },
    { type: 'PanoramaMap', name: 'panorama' },
  ],
  viewpoints: Object.entries(places).map(([name, { lon, lat }]) => ({
    type: 'Viewpoint',
    name,
    groundPosition: [lon, lat, 0],
    distance: name === 'newYork' ? 1500 : 12_000,
    heading: 0,
    pitch: -90,
    roll: 0,
    animate: false,
  })),
  startingMapName: 'flat',
  startingViewpointName: 'centre',
  startingObliqueCollectionName: 'oblique',
};
