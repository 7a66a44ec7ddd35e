import type { DatasourceType } from '@platen/contract/datasource-types';
import type { JobCompletion } from '@platen/contract/runner';
import { datasourceTypesOf, type TaskSpec } from '@platen/processing/job-type';
import { sql } from 'kysely';
import type { Db } from '../base/database/database.ts';
import { registerJobDatasource } from '../datasources/from-job.ts';
import { Failure } from '../base/failure.ts';
import type { DatasourceCommand } from './types/check-parameters.ts';
import { findTarget } from './types/find-target.ts';
import { startsWith } from '../files/objects/key-range.ts';
import { keyOf } from '../files/objects/key.ts';
import type { JobRow } from './store.ts';

interface Publication {
  readonly made: NonNullable<JobCompletion['datasource']>;
  readonly command: DatasourceCommand;
  readonly spec: TaskSpec;
  readonly job: JobRow;
  readonly place: Place;
  readonly now: Date;
}

/** The folder that now contains the outputs of the job. */
interface Place {
  readonly bucketId: string;
  /** Ends in `/`. */
  readonly folder: string;
  /** The attempt whose outputs these are. */
  readonly attempt: number;
}

/**
 * Creates the datasource of a job, or points an existing one, which keeps its ID, to the new data. Returns the ID.
 * @throws Failure if this is not possible: the job then fails
 */
export async function publishDatasource(
  tx: Db,
  { made, command, spec, job, place, now }: Publication,
): Promise<string> {
  const types = datasourceTypesOf(spec);
  if (!types.includes(made.type)) {
    const text = `The job created a datasource of type ${made.type} instead of ${types.join(' or ')}.`;
    throw new Failure('unprocessable', text);
  }
  const target =
    command.command === 'create'
      ? command
      : {
          command: command.command,
          datasourceId: (await findTarget({ db: tx, projectId: job.project_id }, command, spec)).id,
        };
  const { key, isFolder } = await findData(tx, job.id, { path: made.path, ...place });
  const { _id } = await registerJobDatasource(tx, {
    projectId: job.project_id,
    jobId: job.id,
    target,
    type: made.type as DatasourceType, // the catalogue has no other types
    typeProperties: made.typeProperties,
    properties: made.properties,
    bbox: made.bbox,
    dataBucketId: place.bucketId,
    dataBucketKey: key,
    isFolder,
    by: job.created_by,
    now,
  });
  return _id;
}

/** Finds the file or non-empty folder that the job named as its result. */
async function findData(
  tx: Db,
  jobId: string,
  { path, folder, attempt }: Place & { readonly path: string },
): Promise<{ key: string; isFolder: boolean }> {
  const output = keyOf(path.replace(/\/$/, ''));
  const { rows } = await sql<{ key: string }>`
    select key from job_output where job_id = ${jobId} and attempt = ${attempt}
      and (key = ${output} or ${startsWith('key', `${output}/`)}) order by key limit 1`.execute(tx);
  const [first] = rows;
  if (!first)
    throw new Failure(
      'unprocessable',
      `The job named “${path}” as its result, but did not create this file.`,
    );
  return { key: keyOf(folder + output), isFolder: first.key !== output };
}
