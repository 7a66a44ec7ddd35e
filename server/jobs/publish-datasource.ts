import type { DatasourceType } from '@platen/contract/datasource-types';
import type { JobCompletion } from '@platen/contract/runner';
import { datasourceTypesOf, type TaskSpec } from '@platen/processing/job-type';
import type { Db } from '../base/database/database.ts';
import { registerJobDatasource } from '../datasources/from-job.ts';
import { Failure } from '../base/failure.ts';
import type { DatasourceCommand } from './types/check-parameters.ts';
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
  readonly keys: ReadonlySet<string>;
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
  const { key, isFolder } = dataOf(made.path, place);
  const { _id } = await registerJobDatasource(tx, {
    projectId: job.project_id,
    jobId: job.id,
    target: command,
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
function dataOf(path: string, { folder, keys }: Place): { key: string; isFolder: boolean } {
  const key = keyOf(folder + path.replace(/\/$/, ''));
  if (keys.has(key)) return { key, isFolder: false };
  if ([...keys].some((one) => one.startsWith(`${key}/`))) return { key, isFolder: true };
  throw new Failure('unprocessable', `The job named “${path}” as its result, but did not create this file.`);
}
