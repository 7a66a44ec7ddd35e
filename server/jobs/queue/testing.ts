import { sql } from 'kysely';
import type { Channel } from '../../base/database/notifications.ts';
import { hashSecret, newSecret } from '../../base/secrets/bearer-secrets.ts';
import type { ApiClient, TestService } from '../../testing.ts';
import { allowEnrolment } from '../runners/enrolment-store.ts';

/** A job type that reads nothing, makes nothing, and does not wait. */
export const idle = { jobType: 'platenCheckRunner', parameters: { options: {} } };

export async function enrolledRunner(
  { context, as }: Pick<TestService, 'context' | 'as'>,
  name: string,
  overrides: { readonly labels?: string[]; readonly typeNames?: string[] } = {},
): Promise<ApiClient> {
  const enrolmentToken = newSecret();
  await allowEnrolment(context.db, hashSecret(enrolmentToken));
  const body = { enrolmentToken, name, labels: [], version: '', ...overrides };
  const { token } = await as().postRunnerEnrol({ body });
  return as(token);
}

export async function projectOf({ admin }: Pick<TestService, 'admin'>, name: string): Promise<string> {
  const body = { name, description: '', bbox: [0, 0, 1, 1] };
  return (await admin.postProject({ body }))._id;
}

/** Resolves when a request that was sent meanwhile listens to the channel. */
export function someoneWaits({ context }: Pick<TestService, 'context'>, channel: Channel): Promise<void> {
  const { notifications } = context;
  const on = notifications.on.bind(notifications);
  return new Promise((resolve) => {
    notifications.on = (asked, listener) => {
      const off = on(asked, listener);
      if (asked !== channel) return off;
      notifications.on = on;
      resolve();
      return off;
    };
  });
}

/** Queues one job. */
export async function queued(
  { admin }: Pick<TestService, 'admin'>,
  projectId: string,
  change: Record<string, unknown> = {},
): Promise<string> {
  const body = { name: 'Idle', ...idle, ...change };
  return (await admin.postProjectTask({ params: { projectId }, body })).lastJobId!;
}

/** Queues many at once: one that is there, again and again. Each is a millisecond younger than the one before. */
export async function multiply(
  { context }: Pick<TestService, 'context'>,
  jobId: string,
  by: number,
): Promise<void> {
  await sql`
    insert into job (id, project_id, task_id, job_type, type_name, job_version, labels, band, priority, debug_level,
      timeout_seconds, parameters, state, created_at, created_by, updated_at, updated_by)
    select concat(id, '-', n), project_id, task_id, job_type, type_name, job_version, labels, band, priority, debug_level,
      timeout_seconds, parameters, state, created_at + n * interval '1 ms', created_by, updated_at, updated_by
    from job, generate_series(1, ${by - 1}::int) n where id = ${jobId}`.execute(context.db);
}

/** What a runner holds, with a client that may end it. */
export async function holdNext({ as }: Pick<TestService, 'as'>, runner: ApiClient, waitSeconds = 0) {
  const { job } = await runner.postRunnerClaim({ body: { waitSeconds } });
  if (!job) return undefined;
  const client = as(job.token);
  const params = { jobId: job.jobId };
  return {
    ...job,
    client,
    params,
    complete: () => client.postRunnerJobComplete({ params, body: { warnings: [] } }),
    fail: (body: { code: string; message?: string; isTransient?: boolean }) =>
      client.postRunnerJobFail({ params, body: { message: 'It went wrong.', warnings: [], ...body } }),
    heartbeat: () => client.postRunnerJobHeartbeat({ params, body: { waitMs: 0 } }),
  };
}
export type Held = NonNullable<Awaited<ReturnType<typeof holdNext>>>;

export const putOutput = ({ client, params }: Pick<Held, 'client' | 'params'>, key: string, text: string) =>
  client.putRunnerJobOutput({ params, query: { key }, body: new Blob([text]) });

/** The result of a tiling job that has uploaded `a.pmtiles`. */
export const tilesResult = {
  datasource: {
    type: 'vectortiles',
    path: 'a.pmtiles',
    bbox: [0, 0, 1, 1],
    typeProperties: { a: 1 },
    properties: { count: 2 },
  },
  warnings: [],
};

export async function countRows(
  { context }: Pick<TestService, 'context'>,
  table: 'job_output' | 'blob',
): Promise<number> {
  const { count } = await context.db
    .selectFrom(table)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
