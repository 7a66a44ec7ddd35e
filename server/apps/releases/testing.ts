import { sampleModule } from '../modules/testing.ts';
import { write, type BucketPath } from '../../files/revisions/testing.ts';
import type { ApiClient, TestService } from '../../testing.ts';

/** A project with a file of each name, that is a datasource, and an app that shows all of them. */
export async function newMap({ admin }: TestService, place: BucketPath, names: readonly string[]) {
  const ids: Record<string, string> = {};
  for (const name of names) {
    await write(admin, place, { [`${name}.geojson`]: `${name} 1` });
    const sourceProperties = {
      type: 'internal' as const,
      dataBucketId: place.dataBucketId,
      dataBucketKey: `${name}.geojson`,
    };
    const body = { name, type: 'generic' as const, sourceProperties };
    ids[name] = (await admin.postProjectDatasource({ params: place, body }))._id;
  }
  const { _id: moduleId } = await newModule(admin, place, ids);
  const body = { name: 'Map', moduleIds: [moduleId] };
  const { _id: appId } = await admin.postProjectApp({ params: place, body });
  return { params: { ...place, appId }, appId, moduleId, ids };
}

/** It has a layer for each of the datasources. */
export function newModule(client: ApiClient, place: BucketPath, ids: Readonly<Record<string, string>>) {
  const layers = Object.entries(ids).map(([name, datasourceId]) => ({
    type: 'GeoJSONLayer',
    name,
    datasourceId,
  }));
  return client.postProjectModule({ params: place, body: { ...sampleModule, layers } });
}

/** What the map viewer gets: status, the modules after the base layer, and the whole answer. */
export async function configAt(
  { app }: Pick<TestService, 'app'>,
  url: string,
  headers: Record<string, string> = {},
) {
  const answer = await app.inject({ url: `${url}app.config.json`, headers });
  const modules =
    answer.statusCode === 200
      ? answer
          .json<{ modules: { name: string; layers: { name: string; url?: string }[] }[] }>()
          .modules.slice(1)
      : [];
  return { status: answer.statusCode, modules, answer };
}
