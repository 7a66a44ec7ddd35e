import type { MapPlugin } from '@platen/contract/map-plugins';
import type { Deleted } from '@platen/contract/schema';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { Failure, notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { forgetStoredConfigs } from '../releases/stored-configs.ts';
import { dropVersions, findPlugins } from './store.ts';
import { findUses, outdateWarnings } from './uses.ts';

export async function listPlugins({ db }: Context): Promise<{ items: MapPlugin[] }> {
  const plugins = await findPlugins(db);
  return { items: [...plugins].map(([name, versions]) => ({ name, versions })) };
}

export async function getPlugin({ db }: Context, name: string): Promise<MapPlugin> {
  const versions = (await findPlugins(db, [name])).get(name);
  if (!versions) throw notFound('plugin');
  return { name, versions };
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
