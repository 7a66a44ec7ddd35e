import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import { allowEnrolment } from '../../jobs/runners/enrolment-store.ts';
import { tilingTask } from '../../jobs/tasks/testing.ts';
import type { ApiClient, TestService } from '../../testing.ts';
import { findDatasourceRevision, findFileAsOf } from './pinned-revision.ts';

export interface BucketPath {
  readonly projectId: string;
  readonly dataBucketId: string;
}

export const world = { name: 'City', description: '', bbox: [-180, -85, 180, 85] };

export async function newPlace({ admin }: TestService): Promise<BucketPath> {
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({ body: world });
  return { projectId, dataBucketId };
}

/** Stores texts under their keys, in one request; what is there is replaced. */
export async function write(client: ApiClient, params: BucketPath, files: Readonly<Record<string, string>>) {
  const form = new FormData();
  for (const [key, text] of Object.entries(files)) form.append(key, new Blob([text]), 'file');
  await client.postProjectDataBucketUpload({ params, query: { overwrite: true }, body: form });
}

/** The text of a file, or the status that says why there is none. */
export async function read(client: ApiClient, params: BucketPath, key: string): Promise<string | number> {
  try {
    return await (await client.getProjectDataBucketDownloadFile({ params, query: { key } })).text();
  } catch (error) {
    return (error as { status: number }).status;
  }
}

interface Run {
  readonly command:
    | { readonly command: 'create'; readonly name: string }
    | { readonly command: 'overwrite'; readonly datasourceId: string };
  /** undefined: a folder of its own. */
  readonly prefix?: string;
  /** What the job makes; the datasource serves `tiles/`. */
  readonly files: Readonly<Record<string, string>>;
  readonly typeProperties?: Record<string, unknown>;
}

/** Runs jobs as a runner would; each makes a datasource of a folder of tiles, or overwrites one. */
export async function makeRunner(service: TestService, { projectId, dataBucketId }: BucketPath) {
  const { admin, context } = service;
  const enrolmentToken = newSecret();
  await allowEnrolment(context.db, hashSecret(enrolmentToken));
  const { token } = await service.as().postRunnerEnrol({
    body: { enrolmentToken, name: `runner of ${projectId}`, labels: [], version: '' },
  });
  await write(admin, { projectId, dataBucketId }, { 'cities.geojson': '{}' });
  /** All but the last step, which `complete` takes. */
  const prepare = async ({ command, prefix, files, typeProperties = {} }: Run) => {
    const { parameters } = tilingTask(dataBucketId);
    const output = prefix === undefined ? {} : { output: { dataBucketId, prefix } };
    const body = {
      ...tilingTask(dataBucketId),
      parameters: { datasource: command, options: { ...parameters.options, ...output } },
    };
    const task = await admin.postProjectTask({ params: { projectId }, body });
    const { job } = await service.as(token).postRunnerClaim({ body: { waitSeconds: 5 } });
    const { jobId, token: jobToken } = job!;
    const client = service.as(jobToken);
    const put = ([key, text]: [string, string]) =>
      client.putRunnerJobOutput({ params: { jobId }, query: { key }, body: new Blob([text]) });
    await Promise.all(Object.entries(files).map(put));
    const datasource = { type: 'vectortiles', path: 'tiles', typeProperties, properties: {} };
    const complete = async () => {
      const { state } = await client.postRunnerJobComplete({
        params: { jobId },
        body: { datasource, warnings: [] },
      });
      const { outputs } = await admin.getProjectJob({ params: { projectId, jobId } });
      return { state, datasourceId: outputs.datasourceId ?? '' };
    };
    return { taskId: task._id, jobId, complete };
  };
  return { prepare, run: async (run: Run) => (await prepare(run)).complete() };
}

/** A hundred tiles that all hold this text and their number. */
export function hundredTiles(text: string): Record<string, string> {
  const tiles = Array.from({ length: 100 }, (_, x) => [`tiles/7/${x}/0.pbf`, `${text} ${x}`]);
  return Object.fromEntries(tiles) as Record<string, string>;
}

/** Registers a file, or a folder whose key ends in `/`, as it is. */
export async function register({ admin }: TestService, params: BucketPath, dataBucketKey: string) {
  const sourceProperties = { type: 'internal' as const, dataBucketId: params.dataBucketId, dataBucketKey };
  const body = { name: dataBucketKey, type: 'generic' as const, sourceProperties };
  return admin.postProjectDatasource({ params, body });
}

/** The hundred tiles of a revision, as a viewer reads them that holds on to it; `absent` for each that is not there. */
export async function tilesOf({ context }: TestService, datasourceId: string, revision: number) {
  const keys = Array.from({ length: 100 }, (_, x) => `7/${x}/0.pbf`);
  return Promise.all(keys.map((key) => textOf(context, { datasourceId, revision, key })));
}

/** A file of the folder that a revision of a datasource serves. */
export async function textOf(
  { db, store }: TestService['context'],
  { datasourceId, revision, key }: { datasourceId: string; revision: number; key: string },
): Promise<string> {
  const { bucketId, servedFolder, until: at } = (await findDatasourceRevision(db, datasourceId, revision))!;
  const file = await findFileAsOf(db, { bucketId: bucketId!, key: servedFolder! + key, at });
  const stream = file && (await store.stream(file.blobId));
  return stream ? Buffer.concat(await stream.toArray()).toString() : 'absent';
}
