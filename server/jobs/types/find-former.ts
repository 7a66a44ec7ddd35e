import type { JobOutput } from '@platen/contract/jobs';
import type { FormerFile } from '@platen/contract/runner';
import type { Db } from '../../base/database/database.ts';
import type { StoredLineage } from '../../base/database/schema.ts';
import { digestFiles } from '../../files/objects/files-digest.ts';
import { nameOf } from '../../files/objects/key.ts';
import { findFolder, findObject } from '../../files/objects/store.ts';
import type { JobParameters } from './check-parameters.ts';
import { findTarget } from './find-target.ts';
import type { ReferenceScope } from './reference-scope.ts';
import type { SourceLocation } from './references.ts';

/** What an earlier job has made, complete and unchanged. */
export interface FormerRun {
  readonly fingerprint: string;
  readonly recipe?: string;
  /** Its datasources, the primary one first. */
  readonly outputs: readonly JobOutput[];
  /** What it has left for the next run: its manifest and the data of its datasources. */
  readonly files: readonly FormerFile[];
}

interface ResultRow {
  readonly id: string;
  readonly result_key: string | null;
  readonly bucket_id: string | null;
  readonly bucket_key: string | null;
  readonly served_folder: string | null;
  readonly lineage: StoredLineage | null;
}

type Result = ResultRow & {
  readonly bucket_id: string;
  readonly bucket_key: string;
  readonly lineage: StoredLineage;
};

type Scope = Pick<ReferenceScope, 'db' | 'projectId'>;

/**
 * Finds the run whose data a job that updates a datasource may keep: the datasource and its further ones still have
 * exactly what it made.
 * @returns undefined also if the fingerprint of that run is unknown
 */
export async function findFormerRun(scope: Scope, parameters: JobParameters): Promise<FormerRun | undefined> {
  const { db } = scope;
  const results = await findResults(scope, parameters);
  const fingerprint = results?.[0]?.lineage.fingerprint;
  if (!results || fingerprint === undefined) return undefined;
  for (const result of results) if (!(await isComplete(db, result))) return undefined;
  const outputs = results.map(({ id, result_key: key }, index): JobOutput => {
    const resultKey = index === 0 ? {} : { resultKey: key! };
    return { type: 'datasource', datasourceId: id, ...resultKey, isUnchanged: true };
  });
  const files = await describeFiles(db, results);
  const recipe = files.length > 0 ? results[0]!.lineage.manifest!.recipe : undefined;
  return { fingerprint, outputs, files, ...(recipe !== undefined && { recipe }) };
}

/**
 * Finds a file or folder of the former run by its position in `FormerRun.files`, without comparing its content: runners
 * ask for it by the hash that they know.
 */
export async function findFormerFile(
  scope: Scope,
  parameters: JobParameters,
  position: number,
): Promise<SourceLocation | undefined> {
  const results = (await findResults(scope, parameters)) ?? [];
  return locate(scope.db, locationsOf(results)[position]);
}

/** The datasources of the run that has made the target, the primary one first; undefined if any has other data now. */
async function findResults(
  { db, projectId }: Scope,
  { datasource, spec, update }: JobParameters,
): Promise<Result[] | undefined> {
  if (datasource?.command !== 'update' || update === 'full') return undefined;
  const { id: datasourceId } = await findTarget({ db, projectId }, datasource, spec);
  const rows: ResultRow[] = await db
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
  if (!primary?.lineage) return undefined;
  const { jobId, furtherKeys } = primary.lineage;
  const further = new Map(rows.filter((row) => row !== primary).map((row) => [row.result_key, row]));
  const results = [primary, ...furtherKeys.map((key) => further.get(key))];
  return results.every((row): row is Result => row?.lineage?.jobId === jobId && row.bucket_key !== null)
    ? results
    : undefined;
}

/** Overwritten files have made a revision without a lineage; added, deleted and moved ones have not. */
async function isComplete(
  db: Db,
  { bucket_id: bucketId, bucket_key: key, served_folder: folder, lineage }: Result,
): Promise<boolean> {
  return (await digestFiles(db, bucketId, folder ?? key)) === lineage.filesDigest;
}

interface FormerLocation {
  readonly bucketId: string;
  /** The key of a folder ends in `/`. */
  readonly key: string;
  readonly resultKey?: string;
  /** Hash of a file that must not have changed. */
  readonly sha256?: string;
}

/** The manifest, then the data of each datasource; nothing if the run left no manifest. */
function locationsOf(results: readonly Result[]): FormerLocation[] {
  const manifest = results[0]?.lineage.manifest;
  if (!manifest) return [];
  const data = results.map(
    ({ bucket_id: bucketId, bucket_key: key, served_folder: folder, result_key: resultKey }, index) => ({
      bucketId,
      key: folder ?? key,
      ...(index > 0 && { resultKey: resultKey! }),
    }),
  );
  const { key, sha256 } = manifest;
  return [{ bucketId: results[0]!.bucket_id, key, sha256 }, ...data];
}

async function locate(db: Db, place: FormerLocation | undefined): Promise<SourceLocation | undefined> {
  if (!place) return undefined;
  const { bucketId, key, sha256 } = place;
  const file = key.endsWith('/') ? undefined : await findObject(db, bucketId, key);
  if (!key.endsWith('/') && (!file || (sha256 !== undefined && file.sha256 !== sha256))) return undefined;
  return { name: nameOf(key), bucketId, key, file };
}

async function describeFiles(db: Db, results: readonly Result[]): Promise<FormerFile[]> {
  const files: FormerFile[] = [];
  for (const place of locationsOf(results)) {
    const location = await locate(db, place);
    if (!location) return [];
    const { name, file, bucketId, key } = location;
    const resultKey = place.resultKey === undefined ? {} : { resultKey: place.resultKey };
    if (file) {
      files.push({ kind: 'file', name, size: file.size, sha256: file.sha256, ...resultKey });
      continue;
    }
    const folder = await findFolder(db, bucketId, key);
    files.push({ kind: 'folder', name, size: folder?.size ?? 0, ...resultKey });
  }
  return files;
}
