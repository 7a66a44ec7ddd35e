import type { JobCompletion } from '@platen/contract/runner';
import type { JobSpec } from '@platen/processing/job-type';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { Failure } from '../failure.ts';
import { newId } from '../ids.ts';
import type { DatasourceCommand } from '../job-types/check-parameters.ts';
import { keyOf } from '../objects/key.ts';
import type { JobRow } from './store.ts';

interface Publication {
  readonly made: NonNullable<JobCompletion['datasource']>;
  readonly command: DatasourceCommand;
  readonly spec: JobSpec;
  readonly job: JobRow;
  readonly place: Place;
  readonly now: Date;
}

/** Where the files of the job have just been put. */
interface Place {
  readonly bucketId: string;
  /** Ends in `/`. */
  readonly folder: string;
  readonly keys: ReadonlySet<string>;
}

/**
 * Creates the datasource of a job, or points an existing one, which keeps its id, to the new data.
 * @throws Failure `unusable_reference` or `unprocessable` where that cannot be done: then the job fails
 */
export async function publishDatasource(
  tx: Db,
  { made, command, spec, job, place, now }: Publication,
): Promise<string> {
  if (made.type !== spec.datasourceType) {
    throw new Failure(
      'unprocessable',
      `The job made a datasource of type ${made.type} instead of ${spec.datasourceType}.`,
    );
  }
  const { key, folder } = keyOfData(made.path, place);
  const source = { type: 'internal', dataBucketId: place.bucketId, dataBucketKey: key };
  const data = {
    source_properties: JSON.stringify(source),
    bucket_id: place.bucketId,
    bucket_key: key,
    served_folder: folder,
    ...(made.bbox && { bbox: made.bbox }),
    data_updated_at: now,
    data_updated_by: job.created_by,
    updated_at: now,
    updated_by: job.created_by,
  };
  if (command.command !== 'create') return update(tx, { made, command, job, data });
  const id = newId(now);
  await tx
    .insertInto('datasource')
    .values({
      ...data,
      id,
      project_id: job.project_id,
      name: command.name,
      description: '',
      type: made.type,
      type_properties: JSON.stringify(made.typeProperties),
      properties: JSON.stringify(made.properties),
      job_ids: [job.id],
      publish_task_ids: [],
      revision: 1,
      created_at: now,
      created_by: job.created_by,
    })
    .execute();
  return id;
}

interface Update extends Pick<Publication, 'made' | 'job'> {
  readonly command: DatasourceCommand & { readonly datasourceId: string };
  readonly data: object;
}

async function update(tx: Db, { made, command, job, data }: Update): Promise<string> {
  const known = await tx
    .selectFrom('datasource')
    .select(['type', 'type_properties', 'properties'])
    .where('project_id', '=', job.project_id)
    .where('id', '=', command.datasourceId)
    .forUpdate()
    .executeTakeFirst();
  if (!known || known.type !== made.type) {
    throw new Failure('unusable_reference', 'The datasource to update has gone, or is of another type now.');
  }
  const keeps = command.command === 'update';
  await tx
    .updateTable('datasource')
    .set({
      ...data,
      type_properties: JSON.stringify({ ...(keeps && known.type_properties), ...made.typeProperties }),
      properties: JSON.stringify({ ...(keeps && known.properties), ...made.properties }),
      job_ids: sql`array_append(job_ids, ${job.id})`,
      revision: sql`revision + 1`,
    })
    .where('id', '=', command.datasourceId)
    .execute();
  return command.datasourceId;
}

/** The output names a file, or a folder that holds at least one. */
function keyOfData(path: string, { folder, keys }: Place): { key: string; folder: string | null } {
  const key = keyOf(folder + path.replace(/\/$/, ''));
  if (keys.has(key)) return { key, folder: null };
  if ([...keys].some((one) => one.startsWith(`${key}/`))) return { key: `${key}/`, folder: `${key}/` };
  throw new Failure('unprocessable', `The job named “${path}” as its result, but made no such file.`);
}
