import { randomUUID } from 'node:crypto';
import type { NewDatasource } from '@platen/contract/datasources';
import type { BundleFile } from '@platen/contract/runner-bundle';
import type { FreeForm } from '@platen/contract/schema';
import { sql } from 'kysely';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import type { ApiClient, TestService } from '../../testing.ts';

export interface BundleProject {
  readonly projectId: string;
  readonly dataBucketId: string;
}

export async function projectForBundles({ admin }: TestService): Promise<BundleProject> {
  const body = { name: `Bundles ${randomUUID()}`, description: '', bbox: [-180, -85, 180, 85] };
  const { _id: projectId, defaultDataBucketId: dataBucketId } = await admin.postProject({ body });
  return { projectId, dataBucketId };
}

export async function putFiles(
  { admin }: TestService,
  params: BundleProject,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const form = new FormData();
  for (const [key, content] of Object.entries(files))
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), key);
  await admin.postProjectDataBucketUpload({ params, query: { overwrite: true } as never, body: form });
}

export async function addDatasource(
  { admin }: TestService,
  params: BundleProject,
  { key, ...body }: Omit<NewDatasource, 'name' | 'sourceProperties'> & { key: string; name?: string },
): Promise<string> {
  const { dataBucketId } = params;
  const sourceProperties = { type: 'internal' as const, dataBucketId, dataBucketKey: key };
  const { _id } = await admin.postProjectDatasource({
    params,
    body: { name: key, ...body, sourceProperties },
  });
  return _id;
}

export async function addApp(
  { admin }: TestService,
  params: BundleProject,
  modules: readonly FreeForm[],
  change: FreeForm = {},
): Promise<string> {
  const moduleIds: string[] = [];
  for (const [i, module] of modules.entries()) {
    const body = { name: `Module ${i}`, maps: [{ type: 'CesiumMap', name: 'globe' }], ...module };
    moduleIds.push((await admin.postProjectModule({ params, body: body as never }))._id);
  }
  const body = { name: 'Our City', description: 'All of it.', mapVersion: '^6.3.0', moduleIds, ...change };
  return (await admin.postProjectApp({ params, body }))._id;
}

export interface HeldJob {
  readonly client: ApiClient;
  readonly params: { readonly jobId: string };
  readonly token: string;
  readonly options: FreeForm;
  /** How many contents of bundles are kept for the job. */
  kept(): Promise<number>;
  /** Gives the job back, and holds it again. */
  holdAgain(): Promise<void>;
}

/** A publishing job that a runner holds, without the credentials that a task would need. */
export async function publishing(
  service: TestService,
  { projectId }: BundleProject,
  { jobType, ...options }: FreeForm & { readonly jobType: string },
): Promise<HeldJob> {
  const jobId = randomUUID();
  const token = newSecret();
  const parameters = JSON.stringify({ options: { credentialsId: 'none', ...options } });
  await sql`
    insert into job (id, project_id, job_type, type_name, job_version, labels, priority, debug_level, parameters, state,
      attempt, token_hash, lease_until, start_time, created_at, created_by, updated_at, updated_by)
    values (${jobId}, ${projectId}, ${jobType}, ${jobType}, '1', '{}', 0, 0, ${parameters}::json, 'running',
      1, ${hashSecret(token)}, now() + interval '1 hour', now(), now(), ${service.adminId}, now(), ${service.adminId})`.execute(
    service.context.db,
  );
  const client = service.as(token);
  const { db } = service.context;
  return {
    client,
    params: { jobId },
    token,
    options,
    kept: async () =>
      (await db.selectFrom('bundle_content').where('job_id', '=', jobId).select('job_id').execute()).length,
    async holdAgain() {
      await client.postRunnerJobRelease({ params: { jobId } });
      await sql`update job set state = 'running', attempt = attempt + 1, token_hash = ${hashSecret(token)},
        lease_until = now() + interval '1 hour' where id = ${jobId}`.execute(db);
    },
  };
}

/** All files that a runner is told of. */
export async function listAll({ client, params }: HeldJob): Promise<BundleFile[]> {
  const files: BundleFile[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: { files: BundleFile[]; next?: string } = await client.getRunnerJobBundle({
      params,
      query: { cursor },
    });
    files.push(...page.files);
    cursor = page.next;
  }
  return files;
}

export async function readFile({ client, params }: HeldJob, path: string) {
  const reply = await client.getRunnerJobBundleFile({ params, query: { path } });
  return Buffer.from(await reply.arrayBuffer());
}
