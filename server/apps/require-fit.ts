import type { ProblemDetail } from '@platen/contract/error';
import { sql } from 'kysely';
import type { Db } from '../base/database/database.ts';
import { Failure } from '../base/failure.ts';

const maxMiB = 16;

/**
 * Call it before the modules of an app are read: at each showing they are in memory several times over.
 * @throws Failure `too_large` when they are above 16 MiB together
 */
export async function requireFit(db: Db, projectId: string, moduleIds: readonly string[]): Promise<void> {
  const problem = await fitProblem(db, projectId, moduleIds);
  if (problem) throw new Failure('too_large', `/moduleIds: ${problem.detail}`, { errors: [problem] });
}

/** The problem with modules that are larger than 16 MiB in total; undefined if they are not. */
export async function fitProblem(
  db: Db,
  projectId: string,
  moduleIds: readonly string[],
): Promise<ProblemDetail | undefined> {
  if (moduleIds.length === 0) return undefined;
  const { rows } = await sql<{ mebibytes: number }>`
    select coalesce(ceil(sum(octet_length(m.content::text) + octet_length(m.properties::text)) / 1048576.0), 0)::int
      as mebibytes
    from unnest(${[...moduleIds]}::text[]) as wanted (id)
    join module m on m.id = wanted.id and m.project_id = ${projectId}`.execute(db);
  const { mebibytes } = rows[0]!;
  if (mebibytes <= maxMiB) return undefined;
  const detail = `The modules of the app have ${mebibytes} MiB in total. The limit is ${maxMiB} MiB. Remove modules, or move large content to datasources.`;
  return { pointer: '/moduleIds', code: 'too_large', detail };
}
