import type { App } from '@platen/contract/apps';
import type { ProblemDetail } from '@platen/contract/error';
import type { Module } from '@platen/contract/modules';
import { findEngine } from '@platen/viewer/engines';
import type { Db } from '../base/database/database.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { resolvePlugins } from './map-plugins/resolve.ts';
import { inApp } from './modules/findings.ts';
import { findModulesByIds } from './modules/store.ts';
import { knownBy } from './modules/validate.ts';
import { checkApp, maxWarnings } from './check-app.ts';
import { findUnavailableTools } from './unavailable-tools.ts';
import { fitProblem } from './require-fit.ts';
import { lockApp } from './store.ts';

/** Checks an app with these modules and stores its warnings. The app must be locked. */
export async function renewWarnings(
  db: Db,
  { _id, mapVersion, tools }: App,
  modules: readonly Module[],
): Promise<ProblemDetail[]> {
  const engineVersion = findEngine(mapVersion)?.version ?? '';
  const plugins = await resolvePlugins(db, modules, engineVersion);
  const ofModules = await checkApp(modules, knownBy(engineVersion));
  const findings = [...ofModules, ...plugins.warnings].slice(0, maxWarnings - tools.length);
  const warnings = [...findUnavailableTools(tools, engineVersion), ...inApp(modules, findings)];
  await db
    .updateTable('app')
    .set({ warnings: JSON.stringify(warnings) })
    .where('id', '=', _id)
    .execute();
  return warnings;
}

/** The stored warnings of an app; checked again if a module has changed since. */
export async function findWarnings(db: Db, { projectId, _id }: App): Promise<readonly ProblemDetail[]> {
  const stored = await db.selectFrom('app').select('warnings').where('id', '=', _id).executeTakeFirst();
  if (!stored) return [];
  if (stored.warnings !== null) return stored.warnings;
  return inTransaction(db, async (tx) => {
    const app = await lockApp(tx, projectId, _id);
    if (!app) return [];
    const tooLarge = await fitProblem(tx, projectId, app.moduleIds);
    if (tooLarge) return [tooLarge];
    return renewWarnings(tx, app, await findModulesByIds(tx, projectId, app.moduleIds));
  });
}
