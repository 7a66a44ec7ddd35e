import type { NewDatasource } from '@platen/contract/datasources';
import type { RunningService } from '@platen/e2e/processes';

interface File {
  readonly projectId: string;
  readonly dataBucketId: string;
  readonly key: string;
  readonly type: NewDatasource['type'];
}

/** Shows a file of a bucket to the world, by an app of its own. @returns the path of its data, as `uri` names it */
export async function publishDatasource(
  { client }: RunningService,
  { projectId, dataBucketId, key, type }: File,
): Promise<string> {
  const params = { projectId };
  const sourceProperties = { type: 'internal', dataBucketId, dataBucketKey: key } as const;
  const datasource = await client.postProjectDatasource({
    params,
    body: { name: key, type, sourceProperties },
  });
  const layers = [{ type: 'GeoJSONLayer', name: 'file', datasourceId: datasource._id }];
  const maps = [{ type: 'CesiumMap', name: 'globe' }];
  const module = await client.postProjectModule({ params, body: { name: key, maps, layers } });
  const app = await client.postProjectApp({
    params,
    body: { name: key, description: '', mapVersion: '^6.3.0', moduleIds: [module._id] },
  });
  await client.putProjectAppPublic({ params: { projectId, appId: app._id } });
  return new URL(datasource.uri, 'http://localhost').pathname;
}
