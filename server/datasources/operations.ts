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
import { isUnchanged } from '../base/is-unchanged.ts';
import type { Context } from '../base/context.ts';
import type { Db } from '../base/database/database.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { notify } from '../base/database/notifications.ts';
import { findBucket } from '../files/buckets/store.ts';
import { changedMeanwhile, Failure, notFound, unusableAt } from '../base/failure.ts';
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
import { announceData } from './hooks.ts';
import { checkBbox, checkSuffix, checkUrl, isSameSource } from './source-fields.ts';
import { requireOtherDatasources, withTerrain } from './other-datasources.ts';
import { checkTypeProperties, findMisspelt } from './type-properties.ts';

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
  await requireOtherDatasources(context.db, projectId, { type, typeProperties });
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
  await announceData(context, made, caller.userId);
  return getDatasource(context, { projectId, datasourceId: made._id });
}

export async function getDatasource(context: Context, path: DatasourcePath): Promise<Datasource> {
  return toReply(context, await requireDatasource(context.db, path));
}

function toReply(context: Context, datasource: Datasource): Datasource {
  const { type, typeProperties } = datasource;
  return { ...withOrigin(context, datasource), warnings: findMisspelt(type, typeProperties) };
}

interface DatasourceUpdate {
  readonly body: DatasourceChange;
  readonly ifMatch: number | undefined;
  /** `typeProperties` replace the stored ones. */
  readonly overwrite: boolean;
  /** The data has changed, even if its source is the same. */
  readonly updateData: boolean;
}

/** Changes the fields that are present; new data or a new type is checked. */
export async function changeDatasource(
  context: Context,
  caller: Caller,
  change: DatasourcePath & DatasourceUpdate,
): Promise<Datasource> {
  const { projectId, datasourceId, body, ifMatch, overwrite, updateData } = change;
  if (body.bbox) checkBbox(body.bbox);
  const { datasource, hasNewData } = await inTransaction(context.db, async (tx) => {
    await tx.selectFrom('datasource').select('id').where('id', '=', datasourceId).forUpdate().execute();
    const before = await requireDatasource(tx, change);
    const { name, description, type = before.type, bbox = before.bbox, properties } = body;
    const merged = overwrite ? body.typeProperties : { ...before.typeProperties, ...body.typeProperties };
    const typeProperties = body.typeProperties ? merged! : before.typeProperties;
    checkTypeProperties(type, typeProperties);
    if (body.typeProperties || type !== before.type)
      await requireOtherDatasources(tx, projectId, { type, typeProperties });
    const source = body.sourceProperties ?? before.sourceProperties;
    const isSame = !updateData && type === before.type && isSameSource(source, before.sourceProperties);
    const located = isSame
      ? undefined
      : await locateSource({ ...context, db: tx }, caller, { projectId, type, typeProperties, source });
    if (located?.files) await holdSourceFiles(tx, located.files);
    const given = { name, description, type, typeProperties, bbox, properties };
    if (!located && isUnchanged(before, given)) {
      if (ifMatch !== undefined && ifMatch !== before.revision) throw changedMeanwhile();
      return { datasource: before, hasNewData: false };
    }
    const fields = {
      type,
      typeProperties,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(bbox && { bbox }),
      ...(properties && { properties }),
      // what was found in the former data
      ...(located && { facts: null, ...(isFound(before) && !body.bbox && { bbox: null }) }),
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
    return { datasource: changed, hasNewData: located !== undefined };
  });
  if (!hasNewData) return toReply(context, datasource);
  await announceData(context, datasource, caller.userId);
  return getDatasource(context, change);
}

/** Whether the extent was found in the data, rather than given. */
const isFound = ({ bbox, facts }: Datasource) => bbox !== undefined && String(bbox) === String(facts?.bbox);

/**
 * Moves a datasource to the trash; its files remain. @throws Failure `conflict` that names what uses it, unless forced
 */
export async function removeDatasource(
  context: Context,
  caller: Caller,
  { projectId, datasourceId, force }: DatasourcePath & { force: boolean },
): Promise<Datasource & Deleted> {
  const { db, now } = context;
  return inTransaction(db, async (tx) => {
    await tx.selectFrom('datasource').select('id').where('id', '=', datasourceId).forUpdate().execute();
    const datasource = await requireDatasource(tx, { projectId, datasourceId });
    const { name, createdBy: ownerId } = datasource;
    if (!force) await requireUnusedDatasource(tx, datasourceId);
    const what = { type: 'datasource', projectId, resourceId: datasourceId, name, ownerId } as const;
    const entry = { ...what, by: caller.userId, from: caller, now: now() };
    const numberOfDeletedItems = await moveToTrash(tx, entry, () => deleteDatasource(tx, datasourceId));
    await notify(tx, 'accessChanged');
    return { ...withOrigin(context, datasource), numberOfDeletedItems };
  });
}

export async function getLayer(context: Context, path: DatasourcePath): Promise<FreeForm> {
  const datasource = await withTileProperties(context, await getDatasource(context, path));
  return layerOf(await withTerrain(context.db, datasource));
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
