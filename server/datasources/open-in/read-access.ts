import type { Datasource } from '@platen/contract/datasources';
import type { Context } from '../../base/context.ts';
import { addressOf } from '../address.ts';
import { withTileProperties } from '../tile-properties.ts';
import { findDatasource } from '../store.ts';
import { notFound } from '../../base/failure.ts';
import { findDatasourceRevision } from '../../files/revisions/as-of.ts';
import { decideForNewReader, type AccessDecision } from '../serving/access.ts';
import { emptyScope, opensAnything, type ReadScope } from '../serving/read-scope.ts';

/** What somebody else's program is given of a datasource. */
export interface ReadableData {
  /** As the revision has it that is shown, with the zooms and the extent that its tiles tell. */
  readonly datasource: Datasource;
  /** Of that revision, where only releases show it; undefined: whatever is served now. */
  readonly revision: number | undefined;
  readonly isPublic: boolean;
}

/** By what everybody may read; where that is nothing, by what is served now. */
export async function findReadableData(context: Context, datasource: Datasource): Promise<ReadableData> {
  const { publicScope: publicScope } = await decideForNewReader(
    context.db,
    datasource._id,
    undefined,
    context.now(),
  );
  return readableDataOf(context, datasource, { publicScope, scope: wholeScope });
}

const wholeScope: ReadScope = { ...emptyScope, all: true };

/** By what everybody may read; where that is nothing, by what the reader may: of `decideAnew`. */
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

/** A datasource by its id alone, as its address has it. */
export async function findDatasourceAnywhere({ db }: Context, id: string): Promise<Datasource | undefined> {
  const row = await db.selectFrom('datasource').select('project_id').where('id', '=', id).executeTakeFirst();
  return row && findDatasource(db, row.project_id, id);
}
