import type { MapPlugin, MapPluginListQuery } from '@platen/contract/map-plugins';
import type { Deleted, Page } from '@platen/contract/schema';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { forgetStoredConfigs } from '../releases/stored-configs.ts';
import { dropVersions, findPlugins } from './store.ts';
import { findUses, outdateWarnings } from './uses.ts';
import { filterVersions, type VersionFilter } from './version-filter.ts';

/** By name by default. There are few enough of them to be counted and sorted here. */
export async function listPlugins({ db }: Context, query: MapPluginListQuery): Promise<Page<MapPlugin>> {
  const { limit, page, sort = 'asc', orderBy: [field] = ['name'] } = query;
  const keyOf = ({ name, versions }: MapPlugin) => (field === 'createdAt' ? versions[0]!.createdAt : name);
  const plugins = (await filterVersions(await findPlugins(db), query))
    .filter(({ name }) => hasName(name, query.name))
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const ordered = sort === 'desc' ? plugins.toReversed() : plugins;
  const totalCount = plugins.length;
  return {
    items: ordered.slice(page * limit, (page + 1) * limit),
    limit,
    page,
    totalCount,
    totalPages: Math.ceil(totalCount / limit),
  };
}

const hasName = (name: string, parts: readonly string[] | undefined): boolean =>
  !parts?.length || parts.some((part) => name.includes(part.toLowerCase()));

export async function getPlugin(
  { db }: Context,
  { name, ...filter }: VersionFilter & { readonly name: string },
): Promise<MapPlugin> {
  const [plugin] = await filterVersions(await findPlugins(db, [name]), filter);
  if (!plugin) throw notFound('plugin');
  return plugin;
}

interface Removal {
  readonly name: string;
  readonly version?: string | undefined;
  readonly force: boolean;
}

/** Deletes one version, or all of them. @throws Failure `conflict` if an app or a release uses it, unless forced */
export async function removePlugin(
  { db, now }: Context,
  caller: Caller,
  { name, version, force }: Removal,
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    const all = (await findPlugins(tx, [name])).get(name) ?? [];
    const versions = all.map((one) => one.version).filter((one) => version === undefined || one === version);
    if (versions.length === 0) throw notFound(version === undefined ? 'plugin' : 'version of this plugin');
    const uses = await findUses(tx, name, versions, all);
    if (uses.length > 0 && !force) {
      const shown = uses.slice(0, 3).map((use) => `the ${use.what} “${use.name}”`);
      const others = uses.length > 3 ? ` and ${uses.length - 3} more` : '';
      throw new Failure(
        'conflict',
        `The plugin is used by ${shown.join(', ')}${others}. Send force=true to delete it anyway.`,
      );
    }
    const at = now();
    await dropVersions(tx, { name, versions, now: at });
    await forgetStoredConfigs(tx);
    await outdateWarnings(tx, name);
    for (const one of versions) {
      const detail = { name, version: one, uses: uses.length };
      const targetId = `${name}@${one}`;
      await recordAudit(tx, { now: at, caller, action: 'mapPlugin.delete', targetId, detail });
    }
    await notify(tx, 'accessChanged');
    return { numberOfDeletedItems: versions.length };
  });
}
