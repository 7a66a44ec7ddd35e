import type { App, AppChange, AppListQuery, CompiledApp, MapVersion, NewApp } from '@platen/contract/apps';
import type { Module, Principals } from '@platen/contract/modules';
import type { Deleted, Page } from '@platen/contract/schema';
import { findEngine, installedEngines } from '@platen/viewer/engines';
import { supportedTypes } from '@platen/viewer/supported-types';
import { validRange } from 'semver';
import { recordAudit } from '../audit/store.ts';
import type { Context } from '../context.ts';
import { inTransaction, type Db } from '../database/database.ts';
import { notify } from '../database/notifications.ts';
import { changedMeanwhile, Failure, invalidAt, notFound, unusableAt } from '../failure.ts';
import { may, requirePermission, type Caller } from '../iam/caller.ts';
import { findGrantsOnResource } from '../iam/store.ts';
import { newId } from '../ids.ts';
import { findReader, mayReadModule, memberFor } from '../modules/reader.ts';
import { findModulesByIds } from '../modules/store.ts';
import { checkApp } from './check-app.ts';
import { loadCompiledModules } from './load.ts';
import { requireFit } from './require-fit.ts';
import { deleteApp, findApp, findApps, insertApp, lockApp, updateApp } from './store.ts';

export interface Where {
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
  const { name, description = '', properties = {}, moduleIds = [] } = body;
  const mapVersion = body.mapVersion ?? `^${installedEngines()[0]?.version ?? '6.0.0'}`;
  const engine = requireEngine(mapVersion);
  const at = now();
  return inTransaction(db, async (tx) => {
    const member = await memberFor(tx, caller, projectId, memberId);
    await requireFit(tx, projectId, moduleIds);
    const modules = await usableModules(tx, caller, { projectId, memberId: member, moduleIds });
    const fields = { name, description, properties, moduleIds, mapVersion };
    const row = { id: newId(at), projectId, memberId: member, by: caller.userId, now: at };
    const app = await insertApp(tx, { ...fields, ...row });
    return { ...addressed(context, app), warnings: checkApp(modules, supportedTypes(engine)) };
  });
}

export async function getApp(context: Context, { projectId, appId }: Where): Promise<App> {
  const app = await findApp(context.db, projectId, appId);
  if (!app) throw notFound('app');
  return addressed(context, app);
}

/** Changes the fields present; whether it is public is not among them. */
export async function changeApp(
  context: Context,
  caller: Caller,
  { projectId, appId, body, ifMatch }: Where & { body: AppChange; ifMatch: number | undefined },
): Promise<App> {
  const { db, now } = context;
  const { name, description, mapVersion, moduleIds, properties } = body;
  return inTransaction(db, async (tx) => {
    const stored = await lockApp(tx, projectId, appId);
    if (!stored) throw notFound('app');
    if (ifMatch !== undefined && ifMatch !== stored.revision) throw changedMeanwhile();
    const engine = mapVersion === undefined ? undefined : requireEngine(mapVersion);
    const { memberId } = stored;
    await requireFit(tx, projectId, moduleIds ?? stored.moduleIds);
    const modules = moduleIds
      ? await usableModules(tx, caller, { projectId, memberId, moduleIds, kept: stored.moduleIds })
      : await findModulesByIds(tx, projectId, stored.moduleIds);
    if (stored.isPublic && moduleIds?.some((id) => !stored.moduleIds.includes(id))) {
      requirePermission(caller, 'setAppPublic', 'show more modules in an app that is public');
    }
    const fields = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(mapVersion !== undefined && { mapVersion }),
      ...(moduleIds !== undefined && { moduleIds }),
      ...(properties !== undefined && { properties }),
    };
    const app = await updateApp(tx, stored, { fields, now: now(), by: caller.userId });
    if (moduleIds) await notify(tx, 'accessChanged');
    const types = supportedTypes(engine ?? findEngine(app.mapVersion)?.version ?? '');
    return { ...addressed(context, app), warnings: checkApp(modules, types) };
  });
}

export async function removeApp(
  { db, now }: Context,
  caller: Caller,
  { projectId, appId }: Where,
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    const app = await lockApp(tx, projectId, appId);
    if (!app) throw notFound('app');
    const numberOfDeletedItems = await deleteApp(tx, projectId, appId);
    if (app.isPublic) {
      const detail = { name: app.name, deleted: true };
      const entry = { now: now(), caller, action: 'app.makePrivate', projectId, targetId: appId, detail };
      await recordAudit(tx, entry);
    }
    await notify(tx, 'accessChanged');
    return { numberOfDeletedItems };
  });
}

export async function compileApp(context: Context, where: Where): Promise<CompiledApp> {
  // without its revision, which would be taken for the ETag: the modules change without it
  const { revision: _, ...app } = await getApp(context, where);
  const modules = await loadCompiledModules(context.db, app);
  return { ...app, modules };
}

/** Members whose role reads apps, the creator, and the guests of the app. */
export async function listAppPrincipals(context: Context, where: Where): Promise<Principals> {
  const { createdBy } = await getApp(context, where);
  const members = await findGrantsOnResource(context.db, where.projectId);
  const guests = await findGrantsOnResource(context.db, where.appId);
  const readers = members.filter(
    (grant) => grant.permissions.includes('getApp') || grant.principalId === createdBy,
  );
  return { items: [...readers, ...guests] };
}

export function listMapVersions(): { items: MapVersion[] } {
  const items = installedEngines().map(({ version }) => {
    const { layers, maps, styles, tileProviders, contentTree, featureInfo } = supportedTypes(version);
    const types = { layers, maps, styles, tileProviders, contentTree, featureInfo };
    return { version, types: structuredClone(types) as MapVersion['types'] };
  });
  return { items };
}

/** @throws Failure `invalid` for what is no range, `unusable_reference` when no installed engine is in it */
function requireEngine(mapVersion: string): string {
  if (validRange(mapVersion) === null)
    throw invalidAt('/mapVersion', 'It must be a semver range such as ^6.3.');
  const engine = findEngine(mapVersion);
  if (engine) return engine.version;
  const installed = installedEngines().map(({ version }) => version);
  const those = installed.length > 0 ? `Installed are: ${installed.join(', ')}.` : 'None is installed.';
  throw unusableAt('/mapVersion', `No installed version of the map viewer satisfies it. ${those}`);
}

interface Wanted {
  readonly projectId: string;
  readonly memberId: string;
  readonly moduleIds: readonly string[];
  /** Modules that the app has already: they were looked at then, and are again whenever they are shown. */
  readonly kept?: readonly string[];
}

/** An app shows what its user may read, and nobody shows with it what they may not read themselves. */
async function usableModules(db: Db, caller: Caller, wanted: Wanted): Promise<Module[]> {
  const { projectId, memberId, moduleIds, kept = [] } = wanted;
  const modules = await findModulesByIds(db, projectId, moduleIds);
  const byId = new Map(modules.map((module) => [module._id, module]));
  const reader = await findReader(db, projectId, memberId);
  const reasons = moduleIds.map((id, index) => {
    const module = byId.get(id);
    if (!module) return 'There is no such module in this project.';
    if (moduleIds.indexOf(id) !== index) return 'The module is listed twice.';
    if (kept.includes(id)) return undefined;
    if (!mayReadModule(caller, module.createdBy))
      return 'You need the permission getModule to use what others made.';
    if (!mayReadModule(reader, module.createdBy))
      return 'The user with whose permissions the app reads may not read this module.';
    return undefined;
  });
  const errors = reasons.flatMap((detail, index) =>
    detail === undefined ? [] : [{ pointer: `/moduleIds/${index}`, code: 'unusable_reference', detail }],
  );
  if (errors.length === 0) return modules;
  throw new Failure('unusable_reference', `${errors[0]!.pointer}: ${errors[0]!.detail}`, { errors });
}

/** With the origin that apps have of their own, where they have one. */
export function addressed({ settings }: Context, app: App): App {
  return settings.publicUrl === undefined ? app : { ...app, url: settings.publicUrl + app.url };
}
