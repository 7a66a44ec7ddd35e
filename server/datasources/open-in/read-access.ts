import type { Datasource } from '@platen/contract/datasources';
import type { Context } from '../../base/context.ts';
import { addressOf } from '../address.ts';
import { withTileProperties } from '../tile-properties.ts';
import { findDatasource } from '../store.ts';
import { notFound } from '../../base/failure.ts';
import { findDatasourceRevision } from '../../files/revisions/pinned-revision.ts';
import { decideForNewReader, type AccessDecision } from '../serving/access.ts';
import { emptyScope, opensAnything, type ReadScope } from '../serving/read-scope.ts';

/** The data of a datasource that other programs may read. */
export interface ReadableData {
  /** The datasource as of the readable revision, with the zooms and the extent of its tiles. */
  readonly datasource: Datasource;
  /** The revision, if only releases make the data readable; undefined for the current data. */
  readonly revision: number | undefined;
  readonly isPublic: boolean;
}

/** Returns what the public can read of a datasource; if it is nothing, the current data. */
export async function findReadableData(context: Context, datasource: Datasource): Promise<ReadableData> {
  const { publicScope } = await decideForNewReader(context.db, datasource._id, undefined, context.now());
  return readableDataOf(context, datasource, { publicScope, scope: wholeScope });
}

const wholeScope: ReadScope = { ...emptyScope, all: true };

/** Returns what the public can read of a datasource; if it is nothing, what the reader of a decision by `decideForNewReader` can. */
export async function readableDataOf(
  context: Context,
  datasource: Datasource,
  { publicScope, scope }: Pick<AccessDecision, 'publicScope' | 'scope'>,
): Promise<ReadableData> {
  const isPublic = opensAnything(publicScope);
  const { all, revisions } = isPublic ? publicScope : scope;
  if (all)
    return { datasource: await withTileProperties(context, datasource), revision: undefined, isPublic };
  const revision = Math.max(...revisions);
  const pinned = await findDatasourceRevision(context.db, datasource._id, revision);
  if (!pinned && !scope.all) throw notFound('revision of the data');
  if (!pinned) return { datasource, revision: undefined, isPublic: false };
  const { type, typeProperties, sourceProperties, properties, bbox, bucketKey, servedFolder, until } = pinned;
  const { bbox: _, ...rest } = datasource;
  const uri = addressOf({ _id: datasource._id, type, sourceProperties, bucketKey, servedFolder });
  const then = { ...rest, type, typeProperties, sourceProperties, properties, uri, ...(bbox && { bbox }) };
  return { datasource: await withTileProperties(context, then, until), revision, isPublic };
}

/** Finds a datasource in any project. */
export async function findDatasourceAnywhere({ db }: Context, id: string): Promise<Datasource | undefined> {
  const row = await db.selectFrom('datasource').select('project_id').where('id', '=', id).executeTakeFirst();
  return row && findDatasource(db, row.project_id, id);
}
