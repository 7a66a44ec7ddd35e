import type { ServiceInfo, ServiceSettings, ServiceSettingsChange } from '@platen/contract/service-settings';
import { changesOf, recordAudit } from '../../base/audit/record-audit.ts';
import { isUnchanged } from '../../base/is-unchanged.ts';
import type { Context } from '../../base/context.ts';
import { notify } from '../../base/database/notifications.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { changedMeanwhile, invalidAt } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { version } from '../../base/version.ts';
import { requireBaseMaps } from '../base-maps/check-base-maps.ts';
import { findSettings, lockSettings, updateSettings } from './store.ts';

/** The public information about the service. */
export async function describeService({ db, settings }: Context): Promise<ServiceInfo> {
  const { name, listsPublicApps } = await findSettings(db);
  const { publicUrl, maxTokenDays } = settings;
  return { name, listsPublicApps, version, maxTokenDays, ...(publicUrl !== undefined && { publicUrl }) };
}

export function getSettings({ db }: Context): Promise<ServiceSettings> {
  return findSettings(db);
}

export async function changeSettings(
  { db, now }: Context,
  caller: Caller,
  { body, ifMatch }: { body: ServiceSettingsChange; ifMatch: number | undefined },
): Promise<ServiceSettings> {
  const at = now();
  requireOrigins(body.apiOrigins ?? []);
  requireBaseMaps(body.baseMaps ?? []);
  return inTransaction(db, async (tx) => {
    const before = await lockSettings(tx);
    if (ifMatch !== undefined && ifMatch !== before.revision) throw changedMeanwhile();
    const { name, listsPublicApps, apiOrigins, baseMaps } = body;
    if (isUnchanged(before, { name, listsPublicApps, apiOrigins, baseMaps })) return before;
    const changed = await updateSettings(tx, { fields: body, now: at, by: caller.userId });
    const detail = changesOf(before, changed, ['name', 'listsPublicApps', 'apiOrigins', 'baseMaps']);
    await recordAudit(tx, { now: at, caller, action: 'service.changeSettings', targetId: '', detail });
    await notify(tx, 'accessChanged');
    return changed;
  });
}

/** Browsers send an origin in one form only. A pattern would let in whoever gets hold of a forgotten subdomain. */
function requireOrigins(origins: readonly string[]): void {
  for (const [index, origin] of origins.entries()) {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    const isWebsite = url !== undefined && /^https?:$/.test(url.protocol) && !origin.includes('*');
    if (isWebsite && url.origin === origin) continue;
    throw invalidAt(
      `/apiOrigins/${index}`,
      isWebsite
        ? `It must be an origin, without a path and as browsers write it: ${url.origin}`
        : 'It must be the origin of one website, such as https://www.city.example. Patterns are not possible.',
    );
  }
}
