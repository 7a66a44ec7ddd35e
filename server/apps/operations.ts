import type { App, AppChange, AppListQuery, CompiledApp, MapVersion, NewApp } from '@platen/contract/apps';
import type { Grant, PrincipalListQuery } from '@platen/contract/iam';
import type { Deleted, Page } from '@platen/contract/schema';
import { findEngine, installedEngines } from '@platen/viewer/engines';
import { supportedTypes } from '@platen/viewer/supported-types';
import { toolNamesOf, toolsOf } from '@platen/viewer/tools';
import { validRange } from 'semver';
import { recordAudit } from '../base/audit/record-audit.ts';
import { isUnchanged } from '../base/is-unchanged.ts';
import type { Context } from '../base/context.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { notify } from '../base/database/notifications.ts';
import { changedMeanwhile, invalidAt, notFound, unusableAt } from '../base/failure.ts';
import { may, requirePermission, type Caller } from '../base/caller.ts';
import { findReaders } from '../identity/iam/grant-store.ts';
import { newId } from '../base/ids.ts';
import { memberFor } from './modules/reader.ts';
import { findModulesByIds } from './modules/store.ts';
import { usableModules } from './modules/usable-modules.ts';
import { hasPublicDraft } from './share-links/public-visibility.ts';
import { maySeeDrafts } from './releases/may-see-drafts.ts';
import { moveToTrash } from '../base/trash/move-to-trash.ts';
import { explainTakenSlug, requireOrigins } from './address-fields.ts';
import { chosenBaseMaps, requireOffered } from './base-maps/operations.ts';
import { loadContent } from './content.ts';
import { insertWithSlug } from './insert-with-slug.ts';
import { compileContent } from './load.ts';
import { requireFit } from './require-fit.ts';
import { findWarnings, renewWarnings } from './warnings.ts';
import { deleteApp, findApp, findApps, lockApp, updateApp } from './store.ts';

export interface AppPath {
  readonly projectId: string;
  readonly appId: string;
}

export async function listApps(
  context: Context,
  caller: Caller,
  projectId: string,
  query: AppListQuery,
): Promise<Page<App>> {
  const onlyBy = may(caller, 'getApp') ? undefined : caller.userId;
  const found = await findApps(context.db, projectId, query, onlyBy);
  return { ...found, items: found.items.map((app) => addressed(context, app)) };
}

export async function createApp(
  context: Context,
  caller: Caller,
  { projectId, body, memberId }: { projectId: string; body: NewApp; memberId: string | undefined },
): Promise<App> {
  const { db, now } = context;
  const {
    name,
    description = '',
    properties = {},
    moduleIds = [],
    frameOrigins = [],
    tools = [],
    slug,
  } = body;
  const mapVersion = body.mapVersion ?? `^${installedEngines()[0]?.version ?? '6.0.0'}`;
  requireEngine(mapVersion);
  requireOrigins(frameOrigins);
  const at = now();
  return inTransaction(db, async (tx) => {
    const member = await memberFor(tx, caller, projectId, memberId);
    await requireFit(tx, projectId, moduleIds);
    const modules = await usableModules(tx, caller, { projectId, memberId: member, moduleIds });
    const baseMaps = await chosenBaseMaps(tx, projectId, body.baseMaps);
    const fields = { name, description, properties, moduleIds, mapVersion, frameOrigins, tools, baseMaps };
    const row = { id: newId(at), projectId, memberId: member, by: caller.userId, now: at };
    const app = await insertWithSlug(tx, { ...fields, ...row }, slug);
    return { ...addressed(context, app), warnings: await renewWarnings(tx, app, modules) };
  });
}

export async function getApp(context: Context, { projectId, appId }: AppPath): Promise<App> {
  const app = await findApp(context.db, projectId, appId);
  if (!app) throw notFound('app');
  return addressed(context, app);
}

/** Includes the warnings; guests who do not see the draft get none. */
export async function getAppWithWarnings(context: Context, caller: Caller, where: AppPath): Promise<App> {
  const app = await getApp(context, where);
  if (app.releaseId !== undefined && !maySeeDrafts(caller, app.createdBy)) return { ...app, warnings: [] };
  return { ...app, warnings: [...(await findWarnings(context.db, app))] };
}

/** Changes the fields present; whether it is public is not among them. */
export async function changeApp(
  context: Context,
  caller: Caller,
  { projectId, appId, body, ifMatch }: AppPath & { body: AppChange; ifMatch: number | undefined },
): Promise<App> {
  const { db, now } = context;
  const { name, description, mapVersion, moduleIds, properties, frameOrigins, tools, baseMaps, slug } = body;
  if (frameOrigins) requireOrigins(frameOrigins);
  return inTransaction(db, async (tx) => {
    const stored = await lockApp(tx, projectId, appId);
    if (!stored) throw notFound('app');
    if (ifMatch !== undefined && ifMatch !== stored.revision) throw changedMeanwhile();
    if (mapVersion !== undefined) requireEngine(mapVersion);
    const { memberId } = stored;
    await requireFit(tx, projectId, moduleIds ?? stored.moduleIds);
    const modules = moduleIds
      ? await usableModules(tx, caller, { projectId, memberId, moduleIds, kept: stored.moduleIds })
      : await findModulesByIds(tx, projectId, stored.moduleIds);
    const showsMore = moduleIds?.some((id) => !stored.moduleIds.includes(id));
    if (showsMore && (await hasPublicDraft(tx, appId))) {
      const toDo = 'show more modules in an app that is public or has share links';
      requirePermission(caller, 'setAppPublic', toDo);
    }
    if (baseMaps) await requireOffered(tx, projectId, { wanted: baseMaps, kept: stored.baseMaps });
    const fields = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(mapVersion !== undefined && { mapVersion }),
      ...(moduleIds !== undefined && { moduleIds }),
      ...(properties !== undefined && { properties }),
      ...(frameOrigins !== undefined && { frameOrigins }),
      ...(tools !== undefined && { tools }),
      ...(baseMaps !== undefined && { baseMaps }),
      ...(slug !== undefined && { slug }),
    };
    if (isUnchanged(stored, fields))
      return { ...addressed(context, stored), warnings: await renewWarnings(tx, stored, modules) };
    const app = await updateApp(tx, stored, { fields, now: now(), by: caller.userId }).catch(
      explainTakenSlug,
    );
    await notify(tx, 'accessChanged');
    return { ...addressed(context, app), warnings: await renewWarnings(tx, app, modules) };
  });
}

/** Moves the app to the trash. */
export async function removeApp(
  { db, now }: Context,
  caller: Caller,
  { projectId, appId }: AppPath,
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    const app = await lockApp(tx, projectId, appId);
    if (!app) throw notFound('app');
    const at = now();
    const what = {
      type: 'app',
      projectId,
      resourceId: appId,
      name: app.name,
      ownerId: app.createdBy,
    } as const;
    const remove = () => deleteApp(tx, projectId, appId);
    const numberOfDeletedItems = await moveToTrash(
      tx,
      { ...what, by: caller.userId, from: caller, now: at },
      remove,
    );
    if (app.isPublic) {
      const detail = { name: app.name, deleted: true };
      const entry = { now: at, caller, action: 'app.makePrivate', projectId, targetId: appId, detail };
      await recordAudit(tx, entry);
    }
    await notify(tx, 'accessChanged');
    return { numberOfDeletedItems };
  });
}

/** Compiles the draft; guests get the current content. */
export async function compileApp(
  context: Context,
  caller: Caller,
  { edit, ...where }: AppPath & { readonly edit?: string },
): Promise<CompiledApp> {
  // without its revision, which would be taken for the ETag: the modules change without it
  const { revision: _, ...app } = await getApp(context, where);
  const wantsDraft = edit !== 'false' && edit !== '0';
  const which = wantsDraft && maySeeDrafts(caller, app.createdBy) ? 'draft' : 'current';
  const shown = await loadContent(context.db, app, which);
  const isPinned = shown.release !== undefined;
  return { ...app, modules: await compileContent(context.db, app.projectId, shown, { isPinned }) };
}

/** Members whose role reads apps, the creator, and the guests of the app. */
export async function listAppPrincipals(
  context: Context,
  { projectId, appId }: AppPath,
  query: PrincipalListQuery,
): Promise<Page<Grant>> {
  const { createdBy } = await getApp(context, { projectId, appId });
  return findReaders(context.db, { projectId, appId, permission: 'getApp', createdBy }, query);
}

export function listMapVersions(): { items: MapVersion[] } {
  const items = installedEngines().map(({ version }) => {
    const { layers, maps, styles, tileProviders, contentTree, featureInfo } = supportedTypes(version);
    const types = { layers, maps, styles, tileProviders, contentTree, featureInfo };
    const tools = toolNamesOf(version);
    const toolPackages = toolsOf(version).map((tool) => ({
      tool: tool.name,
      name: tool.plugin,
      version: tool.version,
      license: tool.license,
    }));
    return { version, types: structuredClone(types) as MapVersion['types'], tools, toolPackages };
  });
  return { items };
}

/** @throws Failure `invalid` if it is not a range, `unusable_reference` if no installed engine is in the range */
function requireEngine(mapVersion: string): void {
  if (validRange(mapVersion) === null)
    throw invalidAt('/mapVersion', 'It must be a semver range such as ^6.3.');
  if (findEngine(mapVersion)) return;
  const installed = installedEngines().map(({ version }) => version);
  const those =
    installed.length > 0 ? `Installed versions: ${installed.join(', ')}.` : 'No version is installed.';
  throw unusableAt('/mapVersion', `No installed version of the map viewer satisfies it. ${those}`);
}

/** Adds the separate origin of apps to the address, if one is configured. */
export function addressed({ settings }: Context, app: App): App {
  return settings.publicUrl === undefined ? app : { ...app, url: settings.publicUrl + app.url };
}
