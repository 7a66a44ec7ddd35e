import type { JobOutput } from '@platen/contract/jobs';
import type { Db } from '../../base/database/database.ts';
import type { StoredLineage } from '../../base/database/schema.ts';
import { digestFiles } from '../../files/objects/files-digest.ts';
import type { JobParameters } from './check-parameters.ts';
import { findTarget } from './find-target.ts';
import type { ReferenceScope } from './reference-scope.ts';

/** What an earlier job has made, complete and unchanged. */
export interface FormerRun {
  readonly fingerprint: string;
  /** Its datasources, the primary one first. */
  readonly outputs: readonly JobOutput[];
}

interface Row {
  readonly id: string;
  readonly result_key: string | null;
  readonly bucket_id: string | null;
  readonly bucket_key: string | null;
  readonly served_folder: string | null;
  readonly lineage: StoredLineage | null;
}

/**
 * Finds the run whose data a job that updates a datasource may keep: the datasource and its further ones still have
 * exactly what it made.
 * @returns undefined also if the fingerprint of that run is unknown
 */
export async function findFormerRun(
  { db, projectId }: Pick<ReferenceScope, 'db' | 'projectId'>,
  { datasource, spec, update }: JobParameters,
): Promise<FormerRun | undefined> {
  if (datasource?.command !== 'update' || update === 'full') return undefined;
  const { id: datasourceId } = await findTarget({ db, projectId }, datasource, spec);
  const rows: Row[] = await db
    .selectFrom('datasource as d')
    .innerJoin('datasource_revision as r', (join) =>
      join.onRef('r.datasource_id', '=', 'd.id').onRef('r.revision', '=', 'd.data_revision'),
    )
    .select(['d.id', 'd.result_key', 'd.bucket_id', 'd.bucket_key', 'd.served_folder', 'r.lineage'])
    .where('d.project_id', '=', projectId)
    .where((where) => where.or([where('d.id', '=', datasourceId), where('d.primary_id', '=', datasourceId)]))
    .orderBy('d.id')
    .execute();
  const primary = rows.find(({ id }) => id === datasourceId);
  if (primary?.lineage?.fingerprint === undefined) return undefined;
  const { jobId, fingerprint, furtherKeys } = primary.lineage;
  const further = new Map(rows.filter((row) => row !== primary).map((row) => [row.result_key, row]));
  const results = [primary, ...furtherKeys.map((key) => further.get(key))];
  const outputs: JobOutput[] = [];
  for (const row of results) {
    if (row?.lineage?.jobId !== jobId || !(await isComplete(db, row, row.lineage))) return undefined;
    const resultKey = row === primary ? {} : { resultKey: row.result_key! };
    outputs.push({ type: 'datasource', datasourceId: row.id, ...resultKey, isUnchanged: true });
  }
  return { fingerprint, outputs };
}

/** Overwritten files have made a revision without a lineage; added, deleted and moved ones have not. */
async function isComplete(
  db: Db,
  { bucket_id: bucketId, bucket_key: key, served_folder: folder }: Row,
  { filesDigest }: StoredLineage,
): Promise<boolean> {
  if (bucketId === null || key === null) return false;
  return (await digestFiles(db, bucketId, folder ?? key)) === filesDigest;
}
