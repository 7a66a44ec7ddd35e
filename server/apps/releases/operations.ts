import type { App } from '@platen/contract/apps';
import type { NewRelease, Release, ReleaseListQuery, WholeRelease } from '@platen/contract/releases';
import type { Deleted, Page } from '@platen/contract/schema';
import { recordAudit } from '../../base/audit/record-audit.ts';
import { addressed, getApp, type AppPath } from '../operations.ts';
import { requireMaps } from '../visibility.ts';
import { lockApp } from '../store.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { afterCommit, inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { changedMeanwhile, Failure, notFound } from '../../base/failure.ts';
import { requirePermission, type Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { hasPublicContent } from '../share-links/public-visibility.ts';
import { listSearchedNames } from './list-searched-names.ts';
import { requireDrafts } from './may-see-drafts.ts';
import { pinDraft } from './pin-draft.ts';
import { requireEngineOf } from './require-engine.ts';
import { changeVisibility } from './change-visibility.ts';
import { storeConfig } from './stored-configs.ts';
import {
  countReleases,
  deleteRelease,
  findRelease,
  findReleaseData,
  findReleaseHead,
  findReleases,
  insertRelease,
} from './store.ts';

export interface ReleasePath extends AppPath {
  readonly releaseId: string;
}

const maxReleases = 1000;

/**
 * Creates a release of the draft, and makes it the current one unless the body says otherwise.
 * @throws Failure `unprocessable` with the places of all errors if the app cannot work
 */
export async function createRelease(
  context: Context,
  caller: Caller,
  { projectId, appId, body }: AppPath & { body: NewRelease },
): Promise<Release> {
  const { note = '', show = true } = body;
  const now = context.now();
  return inTransaction(context.db, async (tx) => {
    const app = await lock(tx, { projectId, appId });
    if (show) await requireMayShow(tx, caller, app);
    if ((await countReleases(tx, appId)) >= maxReleases)
      throw new Failure(
        'conflict',
        `The app has ${maxReleases} releases, which is the limit. Delete a release first.`,
      );
    const draft = await pinDraft(tx, app);
    const id = newId(now);
    await insertRelease(tx, { ...draft, id, app, note, by: caller.userId, now });
    const release = (await findReleaseHead(tx, appId, id))!;
    const detail = { name: app.name, number: release.number, shown: show };
    await recordAudit(tx, { now, caller, action: 'app.release', projectId, targetId: appId, detail });
    if (show) await changeVisibility(tx, app, { releaseId: id }, { now, by: caller.userId });
    await storeConfig(tx, app, id);
    // in the background
    await afterCommit(tx, async (db) => void listSearchedNames({ ...context, db }, projectId, draft));
    return { ...release, isShown: show };
  });
}

export async function listReleases(
  context: Context,
  caller: Caller,
  { query, ...where }: AppPath & { query: ReleaseListQuery },
): Promise<Page<Release>> {
  const { createdBy } = await getApp(context, where);
  requireDrafts(caller, createdBy);
  return findReleases(context.db, where.appId, query);
}

export async function getRelease(
  context: Context,
  caller: Caller,
  { releaseId, ...where }: ReleasePath,
): Promise<WholeRelease> {
  const { createdBy } = await getApp(context, where);
  requireDrafts(caller, createdBy);
  const release = await findRelease(context.db, where.appId, releaseId);
  if (!release) throw notFound('release');
  const data = await findReleaseData(context.db, release._id);
  const datasources = [...data].map(([datasourceId, revision]) => ({ datasourceId, revision }));
  return { ...release, datasources };
}

/** Shows a release from now on; one that is shown already changes nothing. */
export async function restoreRelease(
  context: Context,
  caller: Caller,
  { projectId, appId, releaseId, ifMatch }: ReleasePath & { ifMatch: number | undefined },
): Promise<App> {
  const now = context.now();
  return inTransaction(context.db, async (tx) => {
    const app = await lock(tx, { projectId, appId });
    if (ifMatch !== undefined && ifMatch !== app.revision) throw changedMeanwhile();
    await requireMayShow(tx, caller, app);
    const release = await findReleaseHead(tx, appId, releaseId);
    if (!release) throw notFound('release');
    if (release.isShown) return addressed(context, app);
    requireEngineOf(release);
    const detail = { name: app.name, number: release.number };
    await recordAudit(tx, { now, caller, action: 'app.showRelease', projectId, targetId: appId, detail });
    const by = caller.userId;
    return addressed(context, await changeVisibility(tx, app, { releaseId: release._id }, { now, by }));
  });
}

/** Shows the draft again; counts 0 if it was shown already. */
export async function showNoRelease(context: Context, caller: Caller, where: AppPath): Promise<Deleted> {
  const now = context.now();
  const { projectId, appId: targetId } = where;
  return inTransaction(context.db, async (tx) => {
    const app = await lock(tx, where);
    if (app.releaseId === undefined) return { numberOfDeletedItems: 0 };
    await requireMayShow(tx, caller, app);
    if (app.isPublic) await requireMaps(tx, app);
    const detail = { name: app.name };
    await recordAudit(tx, { now, caller, action: 'app.showDraft', projectId, targetId, detail });
    await changeVisibility(tx, app, { releaseId: null }, { now, by: caller.userId });
    return { numberOfDeletedItems: 1 };
  });
}

/** @throws Failure `conflict` while it is shown, or shall be */
export async function removeRelease(
  context: Context,
  caller: Caller,
  { projectId, appId, releaseId }: ReleasePath,
): Promise<Deleted> {
  const now = context.now();
  return inTransaction(context.db, async (tx) => {
    const app = await lock(tx, { projectId, appId });
    const release = await findReleaseHead(tx, appId, releaseId);
    if (!release) throw notFound('release');
    if (release.isShown)
      throw new Failure('conflict', 'The app shows this release. Show another release or none first.');
    if (app.publicReleaseId === release._id)
      throw new Failure('conflict', `The app is scheduled to show this release from ${app.publicFrom}.`);
    const numberOfDeletedItems = await deleteRelease(tx, release._id);
    const detail = { name: app.name, number: release.number };
    await recordAudit(tx, { now, caller, action: 'app.deleteRelease', projectId, targetId: appId, detail });
    await notify(tx, 'accessChanged');
    return { numberOfDeletedItems };
  });
}

async function lock(tx: Db, { projectId, appId }: AppPath): Promise<App> {
  const app = await lockApp(tx, projectId, appId);
  if (!app) throw notFound('app');
  return app;
}

/** @throws Failure `forbidden` where people without a login would see something else */
async function requireMayShow(tx: Db, caller: Caller, { _id }: App): Promise<void> {
  if (!(await hasPublicContent(tx, _id))) return;
  requirePermission(caller, 'setAppPublic', 'change the content of an app that is public or has share links');
}
