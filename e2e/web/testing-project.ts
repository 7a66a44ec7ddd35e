import type { RunningService } from '../processes.ts';

/** Some lamps around a market place. */
export const lamps = {
  type: 'FeatureCollection',
  features: Array.from({ length: 60 }, (_, i) => ({
    type: 'Feature',
    properties: { name: `Lamp ${i}`, height: 3 + (i % 7), street: i % 2 ? 'Marktstraße' : 'Am Wall' },
    geometry: { type: 'Point', coordinates: [13.4 + (i % 10) / 1000, 52.5 + Math.floor(i / 10) / 1000] },
  })),
};

/** A project with something of everything, made through the API. */
export async function makeProject({ client }: RunningService, name = 'Stadt Auental') {
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await client.postProject({
    body: { name, description: 'Straßenbeleuchtung und Bäume', bbox: [13.3, 52.4, 13.5, 52.6] },
  });
  const params = { projectId };
  const form = new FormData();
  form.append('lamps.geojson', new Blob([JSON.stringify(lamps)]), 'lamps.geojson');
  await client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  const { _id: datasourceId } = await client.postProjectDatasource({
    params,
    body: {
      name: 'Lamps',
      type: 'geojson',
      sourceProperties: { type: 'internal', dataBucketId, dataBucketKey: 'lamps.geojson' },
    },
  });
  const { _id: moduleId } = await client.postProjectModule({
    params,
    body: {
      name: 'Street lamps',
      layers: [{ type: 'GeoJSONLayer', name: 'lamps', datasourceId, activeOnStartup: true }],
      contentTree: [{ type: 'LayerContentTreeItem', name: 'lamps', layerName: 'lamps', title: 'Lamps' }],
      maps: [{ type: 'OpenlayersMap', name: 'plan' }],
      startingMapName: 'plan',
    },
  });
  const { _id: appId } = await client.postProjectApp({
    params,
    body: { name: 'Light in the city', moduleIds: [moduleId] },
  });
  const { _id: taskId, lastJobId } = await client.postProjectTask({
    params,
    body: {
      name: 'Tile lamps',
      jobType: 'platenTilesVector',
      parameters: {
        datasource: { command: 'create', name: 'Lamps in tiles' },
        options: { input: { type: 'internal', dataBucketId, dataBucketKey: 'lamps.geojson' } },
      },
    },
  });
  for await (const event of client.getProjectJobEvents({ params: { projectId, jobId: lastJobId! } })) {
    if (event.event === 'end') break;
  }
  return { projectId, dataBucketId, datasourceId, moduleId, appId, taskId, jobId: lastJobId! };
}
