import type { DatasourceType } from '@platen/contract/datasource-types';
import type { JobOutput } from '@platen/contract/jobs';
import type { JobCompletion } from '@platen/contract/job-end';
import { datasourceTypesOf, type TaskSpec } from '@platen/processing/job-type';
import { sql } from 'kysely';
import type { Db } from '../base/database/database.ts';
import type { StoredLineage } from '../base/database/schema.ts';
import { Failure } from '../base/failure.ts';
import { findFurtherDatasources } from '../datasources/further.ts';
import { recordLineage } from '../datasources/lineage.ts';
import { registerJobDatasource, type JobDatasource } from '../datasources/from-job.ts';
import { digestFiles } from '../files/objects/files-digest.ts';
import { startsWith } from '../files/objects/key-range.ts';
import { findObject } from '../files/objects/store.ts';
import { keyOf } from '../files/objects/key.ts';
import type { JobRow } from './store.ts';
import type { DatasourceCommand } from './types/check-parameters.ts';
import { findTarget } from './types/find-target.ts';

type Target = JobDatasource['target'];
type MadeDatasource = NonNullable<JobCompletion['datasource']>;

interface Publication {
  readonly completion: Pick<JobCompletion, 'datasource' | 'furtherDatasources' | 'fingerprint' | 'manifest'>;
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

const maxNameLength = 255;

/**
 * Creates the datasources of a job, or points existing ones, which keep their IDs, to the new data. The further ones
 * follow the primary one: where an earlier job has made them, they are updated or overwritten with it.
 * @throws Failure if this is not possible: the job then fails
 */
export async function publishDatasources(tx: Db, publication: Publication): Promise<JobOutput[]> {
  const { completion, command, spec, job } = publication;
  const { datasource: made, furtherDatasources = [] } = completion;
  if (!made) return [];
  requireDistinctKeys(furtherDatasources);
  const { _id: primaryId, name } = await publish(tx, publication, {
    made,
    types: datasourceTypesOf(spec),
    target: await targetOf(tx, { command, spec, job }),
    manifest: await findManifest(tx, publication),
  });
  const outputs: JobOutput[] = [{ type: 'datasource', datasourceId: primaryId }];
  const former = await findFurtherDatasources(tx, job.project_id, primaryId);
  for (const { key, title, ...further } of furtherDatasources) {
    const formerId = former.get(key);
    const target: Target =
      command.command === 'create' || formerId === undefined
        ? {
            command: 'create',
            name: nameOfFurther(name, title),
            primary: { primaryId, key },
          }
        : { command: command.command, datasourceId: formerId };
    const types = spec.furtherDatasourceTypes ?? [];
    const { _id: datasourceId } = await publish(tx, publication, { made: further, types, target });
    outputs.push({ type: 'datasource', datasourceId, resultKey: key });
  }
  return outputs;
}

/** A long name of the primary datasource is cut, so that the titles still tell the others apart. */
function nameOfFurther(primaryName: string, title: string): string {
  const ending = ` – ${title}`;
  return (primaryName.slice(0, Math.max(0, maxNameLength - ending.length)) + ending).slice(0, maxNameLength);
}

async function targetOf(
  tx: Db,
  { command, spec, job }: Pick<Publication, 'command' | 'spec' | 'job'>,
): Promise<Target> {
  if (command.command === 'create') return command;
  const { id: datasourceId } = await findTarget({ db: tx, projectId: job.project_id }, command, spec);
  return { command: command.command, datasourceId };
}

function requireDistinctKeys(further: readonly { readonly key: string }[]): void {
  const keys = new Set(further.map(({ key }) => key));
  if (keys.size < further.length)
    throw new Failure('unprocessable', 'The job gave the same key to several datasources.');
}

interface Result {
  readonly made: MadeDatasource;
  /** Types that it may have. */
  readonly types: readonly string[];
  readonly target: Target;
  /** What a job reads that updates the primary datasource. */
  readonly manifest?: StoredLineage['manifest'];
}

async function publish(
  tx: Db,
  { completion, job, place, now }: Publication,
  { made, types, target, manifest }: Result,
) {
  if (!types.includes(made.type)) {
    const expected = types.length > 0 ? ` instead of ${types.join(' or ')}` : '';
    throw new Failure('unprocessable', `The job created a datasource of type ${made.type}${expected}.`);
  }
  const { key, isFolder } = await findData(tx, job.id, { path: made.path, ...place });
  const datasource = await registerJobDatasource(tx, {
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
  await recordLineage(tx, datasource._id, {
    jobId: job.id,
    taskId: job.task_id!, // other jobs make no datasources
    jobType: job.job_type,
    jobVersion: job.job_version,
    parameters: job.parameters,
    ...(completion.fingerprint !== undefined && { fingerprint: completion.fingerprint }),
    furtherKeys: (completion.furtherDatasources ?? []).map(({ key: resultKey }) => resultKey),
    filesDigest: await digestFiles(tx, place.bucketId, isFolder ? `${key}/` : key),
    ...(manifest && { manifest }),
  });
  return datasource;
}

async function findManifest(
  tx: Db,
  { completion: { manifest }, job, place }: Publication,
): Promise<StoredLineage['manifest']> {
  if (!manifest) return undefined;
  const { path, recipe } = manifest;
  const { key, isFolder } = await findData(tx, job.id, { path, ...place });
  const file = isFolder ? undefined : await findObject(tx, place.bucketId, key);
  if (file) return { key, sha256: file.sha256, recipe };
  throw new Failure('unprocessable', `The manifest of the job, “${path}”, is not a file.`);
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
