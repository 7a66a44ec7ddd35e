import { gzipSync } from 'node:zlib';
import { buildArchiveInMemory } from '@platen/geo/pmtiles/archive-in-memory';
import { compression, tileType } from '@platen/geo/pmtiles/header';
import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import { writePng } from '@platen/formats/png/write-png';
import type { NewDatasource } from '@platen/contract/datasources';
import { startService, type TestService } from '../../testing.ts';
import { askFor, registerFile, type BucketPath, type DataQuery } from '../serving/testing.ts';

/** The public URL of the service in these tests. */
export const origin = 'https://maps.example.org';

/** Starts a service with these files in a data bucket, and offers requests about them. */
export async function serviceWith(files: Readonly<Record<string, string | Uint8Array>>) {
  const service = await startService({ settings: { publicUrl: origin } });
  const params = await newPlace(service);
  await upload(service, params, files);
  return {
    service,
    params,
    register: (type: NewDatasource['type'], key: string) => registerFile(service, params, type, key),
    ask: (path: string, query: DataQuery = {}) => askFor(service, path, query),
    linksOf: (datasourceId: string) =>
      service.admin.getProjectDatasourceLinks({ params: { ...params, datasourceId } }),
  };
}

/** A new project with a data bucket. */
export async function newPlace({ admin }: TestService): Promise<BucketPath> {
  const body = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({ body });
  return { projectId, dataBucketId };
}

export async function upload(
  { admin }: TestService,
  params: BucketPath,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const form = new FormData();
  for (const [key, content] of Object.entries(files))
    form.append(key, new Blob([new Uint8Array(Buffer.from(content))]), 'file');
  await admin.postProjectDataBucketUpload({ params, body: form });
}

/** Shows these datasources to everybody, by an app. */
export async function publish({ admin }: TestService, { projectId }: BucketPath, ids: readonly string[]) {
  const params = { projectId };
  const layers = ids.map((datasourceId) => ({ type: 'GeoJSONLayer', name: datasourceId, datasourceId }));
  const maps = [{ type: 'OpenlayersMap', name: 'flat' }];
  const { _id: moduleId } = await admin.postProjectModule({ params, body: { name: 'm', layers, maps } });
  const { _id: appId } = await admin.postProjectApp({ params, body: { name: 'a', moduleIds: [moduleId] } });
  await admin.putProjectAppPublic({ params: { projectId, appId } });
}

type Colour = readonly [red: number, green: number, blue: number];

/** A picture of one colour. */
export function picture([red, green, blue]: Colour, pixels = 256): Buffer {
  const rgba = new Uint8Array(pixels * pixels * 4);
  for (let at = 0; at < rgba.length; at += 4) rgba.set([red, green, blue, 255], at);
  return Buffer.from(writePng(rgba, pixels, pixels));
}

export const north: Colour = [200, 30, 30];
export const south: Colour = [30, 30, 200];

/** The four tiles of zoom 1, with rows from the north: another colour in the north than in the south. */
const quarters = [
  [0, 0, north],
  [1, 0, north],
  [0, 1, south],
  [1, 1, south],
] as const;

/** A folder of images; in a TMS rows count from the south. */
export function imageFolder(folder: string, isTms: boolean): Record<string, Buffer> {
  const files = quarters.map(([x, y, colour]) => [
    `${folder}/1/${x}/${isTms ? 1 - y : y}.png`,
    picture(colour),
  ]);
  return Object.fromEntries(files) as Record<string, Buffer>;
}

/** The same images in one archive. */
export function imageArchive(): Buffer {
  const tiles = quarters
    .map(([x, y, colour]) => ({ tileId: tileIdOf(1, x, y), bytes: picture(colour) }))
    .toSorted((one, other) => one.tileId - other.tileId);
  const archive = buildArchiveInMemory(
    tiles,
    {
      tileType: tileType.png,
      tileCompression: compression.none,
      metadata: { name: 'Images' },
      minZoom: 1,
      maxZoom: 1,
      bounds: [-180, -85, 180, 85],
      center: [0, 0, 1],
    },
    gzipSync,
  );
  return Buffer.from(archive.buffer, archive.byteOffset, archive.length);
}
