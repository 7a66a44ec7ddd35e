import type { Endpoint } from '@platen/contract/endpoint';
import { sql } from 'kysely';
import type { Db } from '../base/database/database.ts';
import { changedMeanwhile } from '../base/failure.ts';

/** The tables of resources, by the end of the DELETE path. */
const tables: readonly (readonly [ending: RegExp, table: string])[] = [
  [/^\/user\/:(userId)$/, 'user_account'],
  [/^\/project\/:(projectId)$/, 'project'],
  [/\/data-bucket\/:(dataBucketId)$/, 'data_bucket'],
  [/\/datasource\/:(datasourceId)$/, 'datasource'],
  [/\/task\/:(taskId)$/, 'task'],
  [/\/job\/:(jobId)$/, 'job'],
  [/\/module\/:(moduleId)$/, 'module'],
  [/\/scenario\/:(scenarioId)$/, 'scenario'],
  [/\/credential\/:(credentialId)$/, 'credential'],
  [/\/app\/:(appId)(\/public)?$/, 'app'],
  [/\/share-link\/:(shareLinkId)$/, 'share_link'],
];

interface RevisionedResource {
  readonly table: string;
  /** The path parameter with the id. */
  readonly param: string;
}

/** The resource with a revision that a DELETE removes; undefined for other endpoints. */
export function revisionedResourceOf({
  method,
  path,
}: Pick<Endpoint, 'method' | 'path'>): RevisionedResource | undefined {
  if (method !== 'DELETE') return undefined;
  for (const [ending, table] of tables) {
    const param = ending.exec(path)?.[1];
    if (param !== undefined) return { table, param };
  }
  return undefined;
}

/**
 * Locks the resource until the transaction ends. A missing one is left to the operation.
 * @throws Failure `precondition_failed` if its revision differs from If-Match
 */
export async function requireRevision(
  tx: Db,
  { table, id, ifMatch }: { table: string; id: string; ifMatch: number },
): Promise<void> {
  const { rows } = await sql<{ revision: number }>`
    select revision from ${sql.table(table)} where id = ${id} for update`.execute(tx);
  if (rows[0] && rows[0].revision !== ifMatch) throw changedMeanwhile();
}
