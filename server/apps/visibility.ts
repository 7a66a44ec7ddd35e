import type { App, Publicity } from '@platen/contract/apps';
import type { Module } from '@platen/contract/modules';
import type { Deleted } from '@platen/contract/schema';
import { recordAudit } from '../base/audit/record-audit.ts';
import type { Context } from '../base/context.ts';
import type { Db } from '../base/database/database.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { changedMeanwhile, Failure, invalidAt, notFound, unusableAt } from '../base/failure.ts';
import { requirePermission, type Caller } from '../base/caller.ts';
import { requireEngineOf } from './releases/require-engine.ts';
import { changeVisibility, type VisibilityChange } from './releases/change-visibility.ts';
import { findReleaseHead } from './releases/store.ts';
import { hasMaps } from './check-app.ts';
import { findReadableModules } from './content.ts';
import { addressed, type AppPath } from './operations.ts';
import { findPublishingWarnings } from './publishing-warnings.ts';
import { lockApp } from './store.ts';

/**
 * Makes an app public, now or at a time. Each call replaces the whole schedule.
 * @throws Failure `unprocessable` if there is nothing to show
 */
export async function makeAppPublic(
  context: Context,
  caller: Caller,
  { projectId, appId, body, ifMatch }: AppPath & { body: Publicity; ifMatch: number | undefined },
): Promise<App> {
  const now = context.now();
  const { from, until } = timesOf(body, now);
  if (body.releaseId !== undefined)
    requirePermission(caller, 'publishApp', 'choose the release that the app shows');
  return inTransaction(context.db, async (tx) => {
    const app = await lockApp(tx, projectId, appId);
    if (!app) throw notFound('app');
    if (ifMatch !== undefined && ifMatch !== app.revision) throw changedMeanwhile();
    const releaseId = await findChosenRelease(tx, app, body);
    const showsRelease = (releaseId === undefined ? app.releaseId : (releaseId ?? undefined)) !== undefined;
    const modules = showsRelease ? [] : await requireMaps(tx, app);
    const answer = async (shown: App): Promise<App> => ({
      ...addressed(context, shown),
      ...(!showsRelease && { warnings: await findPublishingWarnings(tx, shown, modules) }),
    });
    const isLater = from !== undefined;
    const showing: VisibilityChange = {
      publicFrom: from ?? null,
      publicUntil: until ?? null,
      publicReleaseId: isLater && releaseId !== undefined ? (releaseId ?? '') : null,
      publicSetBy: isLater || until ? caller.userId : null,
      ...(!isLater && { isPublic: true, ...(releaseId !== undefined && { releaseId }) }),
    };
    const isTheirs = !isLater || (await findSetter(tx, app)) === caller.userId;
    if (isTheirs && changesNothing(app, showing)) return answer(app);
    const wanted = { from: from?.toISOString(), until: until?.toISOString(), releaseId };
    const detail = { name: app.name, ...withoutUndefined(wanted) };
    const action = isLater ? 'app.schedulePublic' : 'app.makePublic';
    await recordAudit(tx, { now, caller, action, projectId, targetId: appId, detail });
    return answer(await changeVisibility(tx, app, showing, { now, by: caller.userId }));
  });
}

/** Makes an app private and clears its schedule; counts 0 if there was nothing to change. */
export async function makeAppPrivate(
  context: Context,
  caller: Caller,
  { projectId, appId }: AppPath,
): Promise<Deleted> {
  const now = context.now();
  return inTransaction(context.db, async (tx) => {
    const app = await lockApp(tx, projectId, appId);
    if (!app) throw notFound('app');
    const { isPublic, publicFrom, publicUntil, name } = app;
    if (!isPublic && publicFrom === undefined && publicUntil === undefined)
      return { numberOfDeletedItems: 0 };
    const action = isPublic ? 'app.makePrivate' : 'app.unschedulePublic';
    await recordAudit(tx, { now, caller, action, projectId, targetId: appId, detail: { name } });
    await changeVisibility(tx, app, { isPublic: false, ...noSchedule }, { now, by: caller.userId });
    return { numberOfDeletedItems: 1 };
  });
}

/** Nothing is scheduled. */
export const noSchedule = {
  publicFrom: null,
  publicUntil: null,
  publicReleaseId: null,
  publicSetBy: null,
} as const satisfies VisibilityChange;

/** The future times of the body; `from` is undefined if it has passed. @throws Failure `invalid` */
function timesOf(body: Publicity, now: Date): { from: Date | undefined; until: Date | undefined } {
  const given = body.from === undefined ? undefined : new Date(body.from);
  const until = body.until === undefined ? undefined : new Date(body.until);
  if (given) requireUsableTime('/from', given);
  if (until) requireUsableTime('/until', until);
  const from = given && given > now ? given : undefined;
  if (until && until <= (from ?? now))
    throw invalidAt('/until', 'It must be in the future and later than `from`.');
  return { from, until };
}

/** Other years have another text form. @throws Failure `invalid` */
export function requireUsableTime(pointer: string, time: Date): Date {
  if (time.getTime() > 0 && time.getUTCFullYear() < 10_000) return time;
  throw invalidAt(pointer, 'The year must be between 1970 and 9999.');
}

/** undefined: the one that is shown anyhow; null: none. @throws Failure `unusable_reference` */
async function findChosenRelease(
  tx: Db,
  { _id }: App,
  { releaseId }: Publicity,
): Promise<string | null | undefined> {
  if (releaseId === undefined || releaseId === null) return releaseId;
  const release = await findReleaseHead(tx, _id, releaseId);
  if (!release) throw unusableAt('/releaseId', 'The app has no such release.');
  requireEngineOf(release);
  return release._id;
}

/** The user with whose permissions the app becomes public at the scheduled time. */
async function findSetter(tx: Db, { _id }: App): Promise<string | null | undefined> {
  const row = await tx.selectFrom('app').select('public_set_by').where('id', '=', _id).executeTakeFirst();
  return row?.public_set_by;
}

function changesNothing(app: App, showing: VisibilityChange): boolean {
  const { isPublic, releaseId, publicFrom, publicUntil, publicReleaseId } = showing;
  return (
    (isPublic === undefined || isPublic === app.isPublic) &&
    (releaseId === undefined || (releaseId ?? undefined) === app.releaseId) &&
    publicFrom?.toISOString() === app.publicFrom &&
    publicUntil?.toISOString() === app.publicUntil &&
    (publicReleaseId ?? undefined) === app.publicReleaseId
  );
}

const withoutUndefined = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** @throws Failure `unprocessable` when what its modules are now shows nothing */
export async function requireMaps(tx: Db, app: App): Promise<readonly Module[]> {
  const modules = await findReadableModules(tx, app);
  if (hasMaps(modules)) return modules;
  if (app.moduleIds.length === 0)
    throw new Failure(
      'unprocessable',
      'The app has no modules. Add one with a map, such as {"type": "CesiumMap", "name": "globe"}.',
    );
  if (modules.length < app.moduleIds.length)
    throw new Failure(
      'unprocessable',
      'The user with whose permissions the app reads may no longer read its modules. Assign this user to the project again, or create a new app.',
    );
  throw new Failure(
    'unprocessable',
    'No module of the app has a map. Add one to the `maps` of a module, such as {"type": "CesiumMap", "name": "globe"}.',
  );
}
