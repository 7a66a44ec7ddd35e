import { Readable } from 'node:stream';
import { ingest } from '../../files/objects/ingest.ts';
import type { TestService } from '../../testing.ts';

export interface TestProject {
  readonly projectId: string;
  readonly bucketId: string;
}

/** A project with a small GeoJSON file under `cities.geojson` in its default data bucket. */
export async function projectWithCities({ admin, adminId, context }: TestService): Promise<TestProject> {
  const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId, defaultDataBucketId: bucketId } = await admin.postProject({ body });
  await putFile(context, { projectId, bucketId, key: 'cities.geojson', by: adminId }, cities);
  return { projectId, bucketId };
}

export const cities = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { name: 'Berlin' },
      geometry: { type: 'Point', coordinates: [13.4, 52.5] },
    },
    {
      type: 'Feature',
      properties: { name: 'Quito' },
      geometry: { type: 'Point', coordinates: [-78.5, -0.2] },
    },
  ],
});

export async function putFile(
  context: TestService['context'],
  path: TestProject & { readonly key: string; readonly by: string },
  content: string | Iterable<string>,
): Promise<void> {
  const body = Readable.from(typeof content === 'string' ? [content] : content).map((text: string) =>
    Buffer.from(text),
  );
  await ingest(context, { ...path, overwrite: true, body });
}

/** A task that tiles the file; everything but the name may be changed. */
export function tilingTask(bucketId: string, change: Record<string, unknown> = {}) {
  const input = { type: 'internal', dataBucketId: bucketId, dataBucketKey: 'cities.geojson' };
  return {
    name: 'Tiles',
    jobType: 'platenTilesVector',
    parameters: { datasource: { command: 'create', name: 'Cities' }, options: { input } },
    ...change,
  };
}
