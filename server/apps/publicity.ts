import type { App } from '@platen/contract/apps';
import type { Deleted } from '@platen/contract/schema';
import { recordAudit } from '../audit/store.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../database/database.ts';
import { notify } from '../database/notifications.ts';
import { changedMeanwhile, Failure, notFound } from '../failure.ts';
import type { Caller } from '../iam/caller.ts';
import { hasMaps } from './check-app.ts';
import { findReadableModules } from './load.ts';
import { addressed, type Where } from './operations.ts';
import { lockApp, updateApp } from './store.ts';

/** Shows an app to the world. @throws Failure `unprocessable` when there is nothing to show */
export async function makeAppPublic(
  context: Context,
  caller: Caller,
  { projectId, appId, ifMatch }: Where & { ifMatch: number | undefined },
): Promise<App> {
  return inTransaction(context.db, async (tx) => {
    const app = await lockApp(tx, projectId, appId);
    if (!app) throw notFound('app');
    if (ifMatch !== undefined && ifMatch !== app.revision) throw changedMeanwhile();
    await requireMaps(tx, app);
    return addressed(context, app.isPublic ? app : await setPublic(tx, context, { caller, app, to: true }));
  });
}

/** Takes it back; counts 0 when it was not public. */
export async function makeAppPrivate(
  context: Context,
  caller: Caller,
  { projectId, appId }: Where,
): Promise<Deleted> {
  return inTransaction(context.db, async (tx) => {
    const app = await lockApp(tx, projectId, appId);
    if (!app) throw notFound('app');
    if (!app.isPublic) return { numberOfDeletedItems: 0 };
    await setPublic(tx, context, { caller, app, to: false });
    return { numberOfDeletedItems: 1 };
  });
}

interface Publicity {
  readonly caller: Caller;
  readonly app: App;
  readonly to: boolean;
}

async function setPublic(tx: Db, { now }: Context, { caller, app, to }: Publicity): Promise<App> {
  const at = now();
  const changed = await updateApp(tx, app, { fields: { isPublic: to }, now: at, by: caller.userId });
  const action = to ? 'app.makePublic' : 'app.makePrivate';
  const { projectId, _id: targetId, name } = app;
  await recordAudit(tx, { now: at, caller, action, projectId, targetId, detail: { name } });
  await notify(tx, 'accessChanged');
  return changed;
}

async function requireMaps(tx: Db, app: App): Promise<void> {
  const modules = await findReadableModules(tx, app);
  if (hasMaps(modules)) return;
  if (app.moduleIds.length === 0)
    throw new Failure(
      'unprocessable',
      'The app has no modules: add one with a map, such as {"type": "CesiumMap", "name": "globe"}.',
    );
  if (modules.length < app.moduleIds.length)
    throw new Failure(
      'unprocessable',
      'The user with whose permissions the app reads may no longer read its modules: assign them to the project again, or make a new app.',
    );
  throw new Failure(
    'unprocessable',
    'No module of the app has a map: add one to the `maps` of a module, such as {"type": "CesiumMap", "name": "globe"}.',
  );
}
