import type { DatasourceType } from '@platen/contract/datasource-types';
import type {
  Datasource,
  DatasourceChange,
  DatasourceListQuery,
  DatasourceSummary,
  DatasourceSummaryQuery,
  ListedDatasource,
  NewDatasource,
  SourceProperties,
} from '@platen/contract/datasources';
import type { Deleted, FreeForm, Page } from '@platen/contract/schema';
import type { Context } from '../base/context.ts';
import type { Db } from '../base/database/database.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { notify } from '../base/database/notifications.ts';
import { findBucket } from '../files/buckets/store.ts';
import { changedMeanwhile, Failure, invalidAt, notFound, unusableAt } from '../base/failure.ts';
import { maySee, type Caller } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import { moveToTrash } from '../base/trash/move-to-trash.ts';
import { requireUnusedDatasource } from '../files/used-by/in-use.ts';
import { countDatasources } from './count-datasources.ts';
import { checkData } from './checks/check-data.ts';
import { withTileProperties } from './tile-properties.ts';
import { layerOf } from './layer.ts';
import { withDetails } from './list-details.ts';
import { findSourceFiles, holdSourceFiles, type SourceFiles } from './source-files.ts';
import {
  deleteDatasource,
  findDatasource,
  findDatasources,
  insertDatasource,
  updateDatasource,
  type DataLocation,
} from './store.ts';
import { checkTypeProperties } from './type-properties.ts';

export interface DatasourcePath {
  readonly projectId: string;
  readonly datasourceId: string;
}

export async function listDatasources(
  context: Context,
  caller: Caller,
  { projectId, query }: { projectId: string; query: DatasourceListQuery },
): Promise<Page<ListedDatasource>> {
  const page = await findDatasources(context.db, projectId, query);
  const shown = (datasource: Datasource) =>
    maySee(caller, 'getDatasource', datasource.createdBy)
      ? datasource
      : { ...datasource, typeProperties: {}, properties: {} };
  const items = page.items.map((item) => shown(withOrigin(context, item)));
  return { ...page, items: query.details ? await withDetails(context, caller, items) : items };
}

export function summariseDatasources(
  { db }: Context,
  projectId: string,
  query: DatasourceSummaryQuery,
): Promise<DatasourceSummary> {
  return countDatasources(db, projectId, query);
}

/** @throws Failure `unusable_reference` for internal data that is not there or not of the type */
export async function createDatasource(
  context: Context,
  caller: Caller,
  { projectId, body }: { projectId: string; body: NewDatasource },
): Promise<Datasource> {
  const { name, description = '', type, typeProperties = {}, sourceProperties, bbox, properties = {} } = body;
  if (bbox) checkBbox(bbox);
  checkTypeProperties(type, typeProperties);
  requireExtent(type, { bbox, typeProperties });
  const located = await locateSource(context, caller, {
    projectId,
    type,
    typeProperties,
    source: sourceProperties,
  });
  const at = context.now();
  const fields = { name, description, type, typeProperties, bbox, properties, jobIds: [], ...located };
  const row = { _id: newId(at), projectId, ...fields, by: caller.userId, now: at };
  const made = await inTransaction(context.db, async (tx) => {
    if (located.files) await holdSourceFiles(tx, located.files);
    return insertDatasource(tx, row);
  });
  return withOrigin(context, made);
}

export async function getDatasource(context: Context, path: DatasourcePath): Promise<Datasource> {
  return withOrigin(context, await requireDatasource(context.db, path));
}

/** Changes the fields that are present; new data or a new type is checked. */
export async function changeDatasource(
  context: Context,
  caller: Caller,
  change: DatasourcePath & { body: DatasourceChange; ifMatch: number | undefined; overwrite: boolean },
): Promise<Datasource> {
  const { projectId, datasourceId, body, ifMatch, overwrite } = change;
  if (body.bbox) checkBbox(body.bbox);
  return inTransaction(context.db, async (tx) => {
    await tx.selectFrom('datasource').select('id').where('id', '=', datasourceId).forUpdate().execute();
    const before = await requireDatasource(tx, change);
    const { name, description, type = before.type, bbox = before.bbox, properties } = body;
    const merged = overwrite ? body.typeProperties : { ...before.typeProperties, ...body.typeProperties };
    const typeProperties = body.typeProperties ? merged! : before.typeProperties;
    checkTypeProperties(type, typeProperties);
    requireExtent(type, { bbox, typeProperties });
    const source = body.sourceProperties ?? before.sourceProperties;
    const isSame = type === before.type && isEqual(source, before.sourceProperties);
    const located = isSame
      ? undefined
      : await locateSource({ ...context, db: tx }, caller, { projectId, type, typeProperties, source });
    if (located?.files) await holdSourceFiles(tx, located.files);
    const fields = {
      type,
      typeProperties,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(bbox && { bbox }),
      ...(properties && { properties }),
    };
    const changed = await updateDatasource(tx, datasourceId, {
      fields,
      ...(located && { location: located }),
      now: context.now(),
      by: caller.userId,
      ifMatch,
    });
    if (!changed) throw ifMatch === undefined ? notFound('datasource') : changedMeanwhile();
    await notify(tx, 'accessChanged');
    return withOrigin(context, changed);
  });
}

/**
 * Moves a datasource to the trash; its files remain. @throws Failure `conflict` that names what uses it, unless forced
 */
export async function removeDatasource(
  { db, now }: Context,
  caller: Caller,
  { projectId, datasourceId, force }: DatasourcePath & { force: boolean },
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    await tx.selectFrom('datasource').select('id').where('id', '=', datasourceId).forUpdate().execute();
    const { name, createdBy: ownerId } = await requireDatasource(tx, { projectId, datasourceId });
    if (!force) await requireUnusedDatasource(tx, datasourceId);
    const what = { type: 'datasource', projectId, resourceId: datasourceId, name, ownerId } as const;
    const entry = { ...what, by: caller.userId, from: caller, now: now() };
    const numberOfDeletedItems = await moveToTrash(tx, entry, () => deleteDatasource(tx, datasourceId));
    await notify(tx, 'accessChanged');
    return { numberOfDeletedItems };
  });
}

export async function getLayer(context: Context, path: DatasourcePath): Promise<FreeForm> {
  return layerOf(await withTileProperties(context, await getDatasource(context, path)));
}

interface LocatedSource extends DataLocation {
  /** To be locked by the transaction that refers to it; undefined for an external source. */
  readonly files: SourceFiles | undefined;
}

/**
 * Finds the data of a source, and checks that it exists and is of its type.
 * @throws Failure `invalid` for a bad address, `unusable_reference` for a bucket or key that cannot be used, `forbidden` for a bucket that the caller may not read: a datasource would give access to its files
 */
async function locateSource(
  context: Context,
  caller: Caller,
  {
    projectId,
    type,
    typeProperties,
    source,
  }: { projectId: string; type: DatasourceType; typeProperties: FreeForm; source: SourceProperties },
): Promise<LocatedSource> {
  if (source.type === 'external') {
    checkUrl(source.url);
    return {
      sourceProperties: source,
      bucketId: null,
      bucketKey: null,
      servedFolder: null,
      files: undefined,
    };
  }
  checkSuffix(source.urlSuffix);
  const bucket = await findBucket(context.db, projectId, source.dataBucketId);
  if (!bucket)
    throw unusableAt('/sourceProperties/dataBucketId', 'There is no such data bucket in this project.');
  if (!maySee(caller, 'getDataBucket', bucket.createdBy))
    throw new Failure(
      'forbidden',
      'You need the permission getDataBucket to refer to files of this data bucket.',
    );
  const place = await findSourceFiles(context.db, type, source);
  await checkData(context, { projectId, type, files: place, source, typeProperties });
  const { bucketId, key: bucketKey, servedFolder } = place;
  // a folder remains one, even if a file of its name is added later
  const dataBucketKey = source.dataBucketKey.endsWith('/') ? `${bucketKey}/` : bucketKey;
  const sourceProperties = { ...source, dataBucketKey };
  return { sourceProperties, bucketId, bucketKey, servedFolder, files: place };
}

async function requireDatasource(db: Db, { projectId, datasourceId }: DatasourcePath): Promise<Datasource> {
  const datasource = await findDatasource(db, projectId, datasourceId);
  if (!datasource) throw notFound('datasource');
  return datasource;
}

/** Adds the separate origin of apps to the address of the data, if one is configured. */
function withOrigin({ settings }: Context, datasource: Datasource): Datasource {
  if (settings.publicUrl === undefined || datasource.sourceProperties.type === 'external') return datasource;
  return { ...datasource, uri: settings.publicUrl + datasource.uri };
}

/**
 * Checks only the syntax: nothing is fetched. Templates in braces are not valid in URLs, but clients replace them.
 */
function checkUrl(url: string): void {
  const pointer = '/sourceProperties/url';
  const filled = url.replace(/\{[\w-]+\}/g, '0');
  const parsed = URL.canParse(filled) ? new URL(filled) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || /[\s\p{Cc}]/u.test(url))
    throw invalidAt(pointer, 'It must be an http or https address, such as https://example.org/tiles.');
  if (parsed.username !== '' || parsed.password !== '')
    throw invalidAt(
      pointer,
      'It must not contain a user name or password: everyone who sees the map could read them.',
    );
}

function checkSuffix(suffix: string | undefined): void {
  if (suffix === undefined) return;
  const isBad =
    /[\\\p{Cc}]/u.test(suffix) || suffix.split(/[/?]/).some((part) => part === '..' || part === '.');
  if (isBad) throw invalidAt('/sourceProperties/urlSuffix', 'It must be a path within the folder.');
}

/** The viewer fails on tiles of a WMTS whose extent it does not know. */
function requireExtent(
  type: DatasourceType,
  { bbox, typeProperties }: { bbox: readonly number[] | undefined; typeProperties: FreeForm },
): void {
  if (type !== 'wmts' || bbox || typeProperties['extent'] !== undefined) return;
  throw new Failure(
    'unprocessable',
    'A WMTS needs its extent to be shown in 3D: send bbox or typeProperties.extent.',
    {
      errors: [{ pointer: '/bbox', code: 'required', detail: 'This field is required for a WMTS.' }],
    },
  );
}

function checkBbox([, south, , north]: readonly number[]): void {
  if (Math.abs(south!) > 90 || Math.abs(north!) > 90)
    throw invalidAt('/bbox', 'Latitudes must be between -90 and 90.');
  if (south! > north!)
    throw invalidAt('/bbox', 'The order is west, south, east, north: south must not exceed north.');
}

function isEqual(one: SourceProperties, other: SourceProperties): boolean {
  if (one.type === 'external') return other.type === 'external' && one.url === other.url;
  if (other.type === 'external') return false;
  const { dataBucketId, dataBucketKey, urlSuffix } = one;
  return (
    dataBucketId === other.dataBucketId &&
    dataBucketKey === other.dataBucketKey &&
    urlSuffix === other.urlSuffix
  );
}
