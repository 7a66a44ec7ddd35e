import type { ServiceInfo, ServiceSettings, ServiceSettingsChange } from '@platen/contract/service-settings';
import { changesOf, recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { changedMeanwhile } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { version } from '../../base/version.ts';
import { findSettings, updateSettings } from './store.ts';

/** The public information about the service. */
export async function describeService({ db, settings }: Context): Promise<ServiceInfo> {
  const { name, listsPublicApps } = await findSettings(db);
  const { publicUrl } = settings;
  return { name, listsPublicApps, version, ...(publicUrl !== undefined && { publicUrl }) };
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
  return inTransaction(db, async (tx) => {
    const before = await findSettings(tx);
    const changed = await updateSettings(tx, { fields: body, now: at, by: caller.userId, ifMatch });
    if (!changed) throw changedMeanwhile();
    const detail = changesOf(before, changed, ['name', 'listsPublicApps']);
    await recordAudit(tx, { now: at, caller, action: 'service.changeSettings', targetId: '', detail });
    return changed;
  });
}
