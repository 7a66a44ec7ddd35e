import type { ExternalSource } from '@platen/contract/datasources';
import type { Permission } from '@platen/contract/permission';
import { findBucket } from '../../files/buckets/store.ts';
import { Failure, unusableAt } from '../../base/failure.ts';
import { may, maySee, type Caller } from '../../base/caller.ts';
import { folderKeyOf, keyOf, nameOf } from '../../files/objects/key.ts';
import { admissionOf } from './admission.ts';
import { findFolder, findObject, hasPrefix, type ObjectFile } from '../../files/objects/store.ts';
import { findTarget } from './find-target.ts';
import type { ReferenceScope } from './reference-scope.ts';
import type { InputSource, JobParameters } from './check-parameters.ts';

/** The bucket and key of the data of a source. */
export interface SourceLocation {
  readonly name: string;
  readonly bucketId: string;
  /** The key of a folder ends in `/`. */
  readonly key: string;
  /** Absent for a folder. */
  readonly file: ObjectFile | undefined;
}

/** A source of a job with its size, in the order of the parameters. */
export interface ResolvedInput {
  readonly kind: 'file' | 'folder' | 'external';
  readonly name: string;
  /** In bytes: of a folder, the sum of its files; 0 for a web address, whose size is unknown. */
  readonly size: number;
  /** Only for a file. */
  readonly sha256?: string;
  /** Only for a web address. */
  readonly url?: string;
  readonly source: InputSource;
}

/**
 * Resolves all references of the parameters within the project, when a task is saved and again when its job starts.
 * @throws Failure `unusable_reference` at the pointer of a missing resource, `forbidden` if the caller may not use it
 */
export async function resolveReferences(
  where: ReferenceScope,
  parameters: JobParameters,
): Promise<ResolvedInput[]> {
  await requireTarget(where, parameters);
  await requireOutput(where, parameters);
  await admissionOf(parameters.spec.name)?.requireReferences(where, parameters);
  return resolveInputs(where, parameters.inputs);
}

/** Resolves only the sources of a job. @throws Failure as `resolveReferences` */
export async function resolveInputs(
  where: ReferenceScope,
  sources: readonly InputSource[],
): Promise<ResolvedInput[]> {
  const found: ResolvedInput[] = [];
  for (const source of sources) found.push(await resolveInput(where, source));
  return found;
}

async function resolveInput(where: ReferenceScope, source: InputSource): Promise<ResolvedInput> {
  const url = await addressOf(where, source);
  if (url !== undefined) return { kind: 'external', name: url, url, size: 0, source };
  const place = await placeOf(where, source);
  const { name, bucketId, key, file } = await locate(where, place);
  if (file) return { kind: 'file', name, size: file.size, sha256: file.sha256, source };
  const folder = await findFolder(where.db, bucketId, key);
  if (!folder) throw absent(place);
  return { kind: 'folder', name, size: folder.size, source };
}

/**
 * Resolves one source without measuring a folder, because it is called for each file of it.
 * @throws Failure `unusable_reference` if it no longer exists, or is a web address, which runners fetch themselves
 */
export async function findInput(where: ReferenceScope, source: InputSource): Promise<SourceLocation> {
  const place = await placeOf(where, source);
  const found = await locate(where, place);
  if (!found.file && !(await hasPrefix(where.db, found.bucketId, found.key))) throw absent(place);
  return found;
}

/** The file with this key, otherwise the folder, which may not exist; `/` is the whole data bucket. */
async function locate(
  { db }: ReferenceScope,
  { bucketId, rawKey, pointer }: RawLocation,
): Promise<SourceLocation> {
  if (rawKey === '/') return { name: 'bucket', bucketId, key: '', file: undefined };
  const file = rawKey.endsWith('/') ? undefined : await findObject(db, bucketId, keyOf(rawKey, pointer));
  const key = file?.key ?? folderKeyOf(rawKey, pointer);
  return { name: nameOf(key), bucketId, key, file };
}

const absent = ({ pointer, rawKey }: RawLocation) =>
  unusableAt(pointer, `The data bucket has no file or folder “${rawKey}”.`);

interface RawLocation {
  readonly bucketId: string;
  readonly rawKey: string;
  readonly pointer: string;
}

async function placeOf(where: ReferenceScope, source: InputSource): Promise<RawLocation> {
  if (source.type === 'external') {
    throw unusableAt(source.pointer, 'The source is a web address, not a file of a data bucket.');
  }
  return source.type === 'internal' ? inBucket(where, source) : ofDatasource(where, source);
}

/** The web address of a source, direct or through a datasource; undefined if its data is in a data bucket. */
async function addressOf(where: ReferenceScope, source: InputSource): Promise<string | undefined> {
  if (source.type === 'internal') return undefined;
  if (source.type === 'external') return checkAddress(source.url, `${source.pointer}/url`);
  const { source_properties: properties } = await requireRow(where, source);
  const { type, url } = properties as Partial<ExternalSource>;
  return type === 'external' ? checkAddress(url!, `${source.pointer}/datasourceId`) : undefined;
}

/** Checks only the syntax; the runner checks the address itself when it fetches it. */
function checkAddress(url: string, at: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw unusableAt(at, 'It must be an https address, such as https://example.org/data.zip.');
  if (parsed.username !== '' || parsed.password !== '')
    throw unusableAt(at, 'It must not contain a user name or password.');
  return url;
}

type BucketSource = InputSource & { readonly type: 'internal' };
type DatasourceSource = InputSource & { readonly type: 'datasource' };

async function inBucket(
  { db, projectId, caller }: ReferenceScope,
  source: BucketSource,
): Promise<RawLocation> {
  const pointer = `${source.pointer}/dataBucketId`;
  const bucket = await findBucket(db, projectId, source.dataBucketId);
  if (!bucket) throw unusableAt(pointer, 'There is no such data bucket in this project.');
  if (caller) requireSight(caller, 'getDataBucket', { createdBy: bucket.createdBy, pointer });
  const { dataBucketKey: rawKey } = source;
  return { bucketId: bucket._id, rawKey, pointer: `${source.pointer}/dataBucketKey` };
}

async function ofDatasource(where: ReferenceScope, source: DatasourceSource): Promise<RawLocation> {
  const row = await requireRow(where, source);
  const pointer = `${source.pointer}/datasourceId`;
  if (row.bucket_id === null || row.bucket_key === null)
    throw unusableAt(pointer, 'The data of the datasource is on the web, not in a data bucket.');
  return { bucketId: row.bucket_id, rawKey: row.bucket_key, pointer };
}

async function requireRow(where: ReferenceScope, { datasourceId, pointer: base }: DatasourceSource) {
  const pointer = `${base}/datasourceId`;
  const row = await findRow(where, datasourceId);
  if (!row) throw unusableAt(pointer, 'There is no such datasource in this project.');
  if (where.caller) requireSight(where.caller, 'getDatasource', { createdBy: row.created_by, pointer });
  return row;
}

/**
 * Requires `createDatasource` to create a datasource, `editDatasource` or having created it to change one with its
 * further ones, of which the job may create new ones.
 */
async function requireTarget(where: ReferenceScope, { datasource, spec }: JobParameters): Promise<void> {
  if (!datasource) return;
  const { caller } = where;
  if (datasource.command === 'create') {
    const pointer = '/parameters/datasource/command';
    if (caller && !may(caller, 'createDatasource')) throw lacks('createDatasource', pointer);
    return;
  }
  const { id, created_by } = await findTarget(where, datasource, spec);
  if (!caller) return;
  const pointer = `/parameters/datasource/${datasource.name === undefined ? 'datasourceId' : 'name'}`;
  if (spec.furtherDatasourceTypes && !may(caller, 'createDatasource'))
    throw lacks('createDatasource', pointer);
  const creators = [created_by, ...(await findCreatorsOfFurther(where, id))];
  for (const createdBy of creators) requireSight(caller, 'editDatasource', { createdBy, pointer });
}

async function findCreatorsOfFurther(
  { db, projectId }: ReferenceScope,
  primaryId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('datasource')
    .select('created_by')
    .distinct()
    .where('project_id', '=', projectId)
    .where('primary_id', '=', primaryId)
    .execute();
  return rows.map(({ created_by }) => created_by);
}

async function requireOutput(
  { db, projectId, caller }: ReferenceScope,
  { output }: JobParameters,
): Promise<void> {
  const base = '/parameters/options/output';
  if (output.prefix !== undefined && output.prefix !== '') folderKeyOf(output.prefix, `${base}/prefix`);
  if (output.dataBucketId === undefined) return;
  const pointer = `${base}/dataBucketId`;
  const bucket = await findBucket(db, projectId, output.dataBucketId);
  if (!bucket) throw unusableAt(pointer, 'There is no such data bucket in this project.');
  if (caller) requireSight(caller, 'uploadToDataBucket', { createdBy: bucket.createdBy, pointer });
}

function findRow({ db, projectId }: ReferenceScope, id: string) {
  return db
    .selectFrom('datasource')
    .select(['type', 'created_by', 'bucket_id', 'bucket_key', 'source_properties'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
}

function requireSight(
  caller: Caller,
  permission: Permission,
  { createdBy, pointer }: { createdBy: string; pointer: string },
): void {
  if (!maySee(caller, permission, createdBy)) throw lacks(permission, pointer);
}

const lacks = (permission: Permission, pointer: string) =>
  new Failure('forbidden', `${pointer}: You need the permission ${permission}.`);
