import { newId } from '../../base/ids.ts';
import type { TestService } from '../../testing.ts';

/** A module as the documentation of the API shows it: a base map, data, a globe and a tree. */
export const sampleModule = {
  name: 'Base',
  description: 'Base map and trees',
  properties: {},
  layers: [
    {
      type: 'OpenStreetMapLayer',
      name: 'osm',
      activeOnStartup: true,
      zIndex: 0,
      properties: {
        attributions: { provider: 'OpenStreetMap', url: 'https://www.openstreetmap.org', year: '2026' },
      },
    },
    {
      type: 'GeoJSONLayer',
      name: 'trees',
      activeOnStartup: true,
      zIndex: 1,
      url: 'data/trees.json',
      extent: {
        type: 'Extent',
        coordinates: [-180, -90, 180, 90],
        projection: { type: 'Projection', epsg: 'EPSG:4326' },
      },
      properties: { title: 'Trees' },
    },
  ],
  maps: [{ type: 'CesiumMap', name: 'globe' }],
  contentTree: [{ type: 'LayerContentTreeItem', name: 'trees', layerName: 'trees' }],
  startingMapName: 'globe',
};

/** A datasource of a project, by its row alone: modules only look at its id. */
export async function addDatasource({ context, adminId }: TestService, projectId: string): Promise<string> {
  const now = context.now();
  const id = newId(now);
  await context.db
    .insertInto('datasource')
    .values({
      id,
      project_id: projectId,
      name: 'trees',
      description: '',
      type: 'geojson',
      type_properties: '{}',
      source_properties: JSON.stringify({ type: 'external', url: 'https://data.example.org/trees.json' }),
      bucket_id: null,
      bucket_key: null,
      bbox: null,
      properties: '{}',
      job_ids: [],
      publish_task_ids: [],
      data_updated_at: now,
      data_updated_by: adminId,
      revision: 1,
      created_at: now,
      created_by: adminId,
      updated_at: now,
      updated_by: adminId,
    })
    .execute();
  return id;
}
