import type { Module } from '@platen/contract/modules';
import type { Context } from '../../base/context.ts';
import { isObject } from '../../base/is-object.ts';
import { findPinnedSources } from '../../datasources/revisions/pinned-sources.ts';
import { hasNames, nameQuery } from '../../datasources/serving/interop/names.ts';
import { openServingCache } from '../../datasources/serving/serving-cache.ts';
import { itemsOf } from '../modules/findings.ts';
import type { PinnedDraft } from './pin-draft.ts';

/** Further lists are made with the first search. */
const maxLists = 20;

/**
 * Lists the names of features that visitors of a release search, so that the first of them does not wait. What fails
 * here is tried again by the search, which says why.
 */
export async function listSearchedNames(
  context: Context,
  projectId: string,
  { modules, pins }: Pick<PinnedDraft, 'modules' | 'pins'>,
): Promise<void> {
  const searched = searchedAttributes(modules).slice(0, maxLists);
  if (searched.length === 0) return;
  const revisions = new Map(pins.map(({ datasourceId, revision }) => [datasourceId, revision]));
  const library = openServingCache(context);
  try {
    const sources = await findPinnedSources(context.db, projectId, revisions);
    for (const [datasourceId, attribute] of searched) {
      const source = sources.get(datasourceId);
      if (source?.sourceProperties.type !== 'internal' || !hasNames(source, attribute)) continue;
      const place = { bucketId: source.sourceProperties.dataBucketId, key: source.bucketKey! };
      const file = await library.fileOfRevision(datasourceId, revisions.get(datasourceId)!, place);
      if (file) await library.names(file, nameQuery(source, attribute)).catch(() => {});
    }
  } catch (error) {
    context.log.warn({ err: error }, 'the names that a release searches could not be listed');
  } finally {
    library.close();
  }
}

/** Each datasource and attribute once. */
function searchedAttributes(modules: readonly Module[]): [datasourceId: string, attribute: string][] {
  const all = modules.flatMap((module) =>
    itemsOf(module, 'layers').flatMap(({ datasourceId, properties }): [string, string][] => {
      const attribute = isObject(properties) ? properties['searchBy'] : undefined;
      const isSearched = typeof datasourceId === 'string' && typeof attribute === 'string';
      return isSearched ? [[datasourceId, attribute]] : [];
    }),
  );
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
