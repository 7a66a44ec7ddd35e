import type { DatasourceType } from '@platen/contract/datasource-types';
import type { Datasource } from '@platen/contract/datasources';
import type { FreeForm } from '@platen/contract/schema';
import type { Db } from '../base/database/database.ts';
import { notify } from '../base/database/notifications.ts';
import { Failure, unusableAt } from '../base/failure.ts';
import { newId } from '../base/ids.ts';
import { withStylesOfJob } from './keep-styles.ts';
import { findDatasource, insertDatasource, updateDatasource, type ResultOf } from './store.ts';

/** The output of a finished job and how its task registers it. */
export interface JobDatasource {
  readonly projectId: string;
  readonly jobId: string;
  readonly target:
    | {
        readonly command: 'create';
        readonly name: string;
        readonly description?: string;
        readonly primary?: ResultOf;
      }
    | { readonly command: 'update' | 'overwrite'; readonly datasourceId: string };
  readonly type: DatasourceType;
  readonly typeProperties: FreeForm;
  /** Properties of the data that the job determined. */
  readonly properties: FreeForm;
  readonly bbox?: number[] | undefined;
  readonly dataBucketId: string;
  /** Key of the file or folder, without a trailing `/`. */
  readonly dataBucketKey: string;
  readonly isFolder: boolean;
  readonly by: string;
  readonly now: Date;
}

/**
 * Registers the output of a job as a datasource, in the transaction that completes the job and writes the objects.
 * `update` merges type properties and properties into those that are there, and keeps the styles that people have changed;
 * `overwrite` replaces them. Both point to the new data.
 * @throws Failure `unusable_reference` when the datasource has gone, `unprocessable` when it is of another type
 */
export async function registerJobDatasource(tx: Db, made: JobDatasource): Promise<Datasource> {
  const { target, projectId, jobId, type, dataBucketId: bucketId, dataBucketKey: bucketKey, by, now } = made;
  const location = {
    sourceProperties: { type: 'internal' as const, dataBucketId: bucketId, dataBucketKey: bucketKey },
    bucketId,
    bucketKey,
    servedFolder: made.isFolder ? `${bucketKey}/` : null,
  };
  if (target.command === 'create') {
    const { name, description = '', primary } = target;
    const { typeProperties, bbox } = made;
    const properties = withStylesOfJob(undefined, made.properties);
    const fields = { name, description, type, typeProperties, bbox, properties, jobIds: [jobId], primary };
    return insertDatasource(tx, { _id: newId(now), projectId, ...fields, ...location, by, now });
  }
  // concurrent changes must not be lost
  await tx.selectFrom('datasource').select('id').where('id', '=', target.datasourceId).forUpdate().execute();
  const before = await findDatasource(tx, projectId, target.datasourceId);
  if (!before) throw unusableAt('/datasource/datasourceId', 'There is no such datasource in this project.');
  if (before.type !== type)
    throw new Failure(
      'unprocessable',
      `The datasource is of type ${before.type}, but the job created ${type}.`,
    );
  const kept = target.command === 'update' ? before.typeProperties : {};
  const typeProperties = { ...kept, ...made.typeProperties };
  const former = target.command === 'update' ? before.properties : undefined;
  const properties = { ...former, ...withStylesOfJob(former, made.properties) };
  const fields = { typeProperties, properties, ...(made.bbox && { bbox: made.bbox }) };
  const changed = await updateDatasource(tx, target.datasourceId, { fields, location, jobId, now, by });
  if (!changed) throw unusableAt('/datasource/datasourceId', 'There is no such datasource in this project.');
  await notify(tx, 'accessChanged');
  return changed;
}
