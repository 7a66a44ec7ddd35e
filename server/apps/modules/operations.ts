import type { Grant, PrincipalListQuery } from '@platen/contract/iam';
import type { ProblemDetail } from '@platen/contract/error';
import {
  moduleLists,
  moduleServiceSet,
  type Module,
  type ModuleChange,
  type ModuleListQuery,
  type NewModule,
} from '@platen/contract/modules';
import type { Deleted, FreeForm, Page } from '@platen/contract/schema';
import { installedEngines } from '@platen/viewer/engines';
import { isUnchanged } from '../../base/is-unchanged.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { changedMeanwhile, Failure, notFound } from '../../base/failure.ts';
import { may, maySee, type Caller, requirePermission } from '../../base/caller.ts';
import { findReaders } from '../../identity/iam/grant-store.ts';
import { newId } from '../../base/ids.ts';
import { lockUsingScenarios, removeFromScenarios } from '../scenarios/store.ts';
import { moveToTrash } from '../../base/trash/move-to-trash.ts';
import { requireUnusedModule } from '../../files/used-by/in-use.ts';
import { memberFor } from './reader.ts';
import { datasourceReferences } from './references.ts';
import {
  deleteModule,
  findModule,
  findModules,
  insertModule,
  lockDatasources,
  lockModule,
  findNewlyPublic,
  lockUsingApps,
  removeFromApps,
  replaceDatasources,
  storeWarnings,
  updateModule,
  type UsingApp,
} from './store.ts';
import { otherTypes } from './datasource-types.ts';
import { knownBy, validateInTurns } from './validate.ts';
import { outdateWarnings } from './outdate-warnings.ts';

const maxContentBytes = 1_048_576;

interface ModulePath {
  readonly projectId: string;
  readonly moduleId: string;
}

export function listModules(
  { db }: Context,
  caller: Caller,
  projectId: string,
  query: ModuleListQuery,
): Promise<Page<Module>> {
  return findModules(db, projectId, query, may(caller, 'getModule') ? undefined : caller.userId);
}

export async function createModule(
  { db, now }: Context,
  caller: Caller,
  { projectId, body, memberId }: { projectId: string; body: NewModule; memberId: string | undefined },
): Promise<Module> {
  const { name, description = '', properties = {} } = body;
  const content = contentOf(body);
  const at = now();
  return inTransaction(db, async (tx) => {
    const member = await memberFor(tx, caller, projectId, memberId);
    const { datasourceIds, warnings } = await checkContent(tx, projectId, content);
    const id = newId(at);
    const fields = { name, description, properties, content, warnings };
    const row = { id, projectId, memberId: member, by: caller.userId, now: at };
    const module = await insertModule(tx, { ...fields, ...row });
    await replaceDatasources(tx, projectId, id, datasourceIds);
    return module;
  });
}

export async function getModule({ db }: Context, { projectId, moduleId }: ModulePath): Promise<Module> {
  const module = await findModule(db, projectId, moduleId);
  if (!module) throw notFound('module');
  return module;
}

interface Change extends ModulePath {
  readonly body: ModuleChange;
  readonly ifMatch: number | undefined;
  /** Whether keys of the map configuration that are absent are removed. */
  readonly replace: boolean;
}

/** Changes the fields that are present, and checks the resulting module as a whole. */
export async function changeModule(
  { db, now }: Context,
  caller: Caller,
  { projectId, moduleId, body, ifMatch, replace }: Change,
): Promise<Module> {
  return inTransaction(db, async (tx) => {
    const stored = await lockModule(tx, projectId, moduleId);
    if (!stored) throw notFound('module');
    if (ifMatch !== undefined && ifMatch !== stored.module.revision) throw changedMeanwhile();
    const content = { ...(!replace && stored.fields.content), ...contentOf(body) };
    const { name, description, properties } = { ...stored.fields, ...body };
    const { datasourceIds, warnings } = await checkContent(tx, projectId, content);
    const shownToAll = await findNewlyPublic(tx, moduleId, datasourceIds);
    if (shownToAll.length > 0) {
      requirePermission(
        caller,
        'setAppPublic',
        `make ${shownToAll.join(', ')} public, as an app that is public or has share links uses this module`,
      );
    }
    if (isSame(stored, { name, description, properties, content })) {
      if (!isUnchanged(stored.fields, { warnings })) {
        await storeWarnings(tx, moduleId, warnings);
        await outdateWarnings(tx, moduleId);
      }
      return { ...stored.module, warnings };
    }
    const fields = { name, description, properties, content, warnings };
    const module = await updateModule(tx, moduleId, fields, { now: now(), by: caller.userId });
    await replaceDatasources(tx, projectId, moduleId, datasourceIds);
    await outdateWarnings(tx, moduleId);
    await notify(tx, 'accessChanged');
    return module;
  });
}

/** Lists that are absent are the same as empty ones. */
function isSame(
  { module, fields }: { module: Module; fields: { content: FreeForm } },
  { content, ...described }: { name: string; description: string; properties: FreeForm; content: FreeForm },
): boolean {
  const empty = Object.fromEntries(moduleLists.map((name) => [name, []]));
  const whole: FreeForm = { ...empty, ...content };
  return (
    isUnchanged(module, { ...described, ...whole }) &&
    Object.keys(fields.content).every((key) => key in whole)
  );
}

/**
 * Moves the module to the trash. A module in use stays, unless `force` removes it from apps and scenarios that the
 * caller may edit.
 */
export async function removeModule(
  { db, now }: Context,
  caller: Caller,
  { projectId, moduleId, force }: ModulePath & { force: boolean },
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    const stored = await lockModule(tx, projectId, moduleId);
    if (!stored) throw notFound('module');
    const apps = await lockUsingApps(tx, projectId, moduleId);
    const scenarios = await lockUsingScenarios(tx, projectId, moduleId);
    if (!force) await requireUnusedModule(tx, moduleId);
    const others = apps.filter((app) => !may(caller, 'editApp') && app.createdBy !== caller.userId);
    if (others.length > 0)
      throw new Failure(
        'forbidden',
        `You may not edit these apps, which use the module: ${namesOf(others)}.`,
      );
    const foreign = scenarios.filter((one) => !maySee(caller, 'editModule', one.createdBy));
    if (foreign.length > 0)
      throw new Failure(
        'forbidden',
        `You may not edit these scenarios, which use the module: ${namesOf(foreign)}.`,
      );
    const change = { now: now(), by: caller.userId };
    await removeFromApps(tx, moduleId, change);
    await removeFromScenarios(tx, moduleId, change);
    const { name, createdBy: ownerId } = stored.module;
    const what = { type: 'module', projectId, resourceId: moduleId, name, ownerId } as const;
    const entry = { ...what, ...change, from: caller };
    const numberOfDeletedItems = await moveToTrash(tx, entry, () => deleteModule(tx, moduleId));
    await notify(tx, 'accessChanged');
    return { numberOfDeletedItems };
  });
}

/** Members whose role reads modules, and its creator. */
export async function listModulePrincipals(
  context: Context,
  { projectId, moduleId }: ModulePath,
  query: PrincipalListQuery,
): Promise<Page<Grant>> {
  const { createdBy } = await getModule(context, { projectId, moduleId });
  return findReaders(context.db, { projectId, permission: 'getModule', createdBy }, query);
}

const described = new Set(['name', 'description', 'properties', ...moduleServiceSet]);

/** Every key that is the map viewer's, in the order they were sent. */
function contentOf(body: NewModule | ModuleChange): FreeForm {
  const content = Object.fromEntries(Object.entries(body).filter(([key]) => !described.has(key)));
  return content;
}

async function checkContent(
  db: Db,
  projectId: string,
  content: FreeForm,
): Promise<{ datasourceIds: string[]; warnings: ProblemDetail[] }> {
  if (Buffer.byteLength(JSON.stringify(content)) > maxContentBytes)
    throw new Failure('too_large', 'The map configuration exceeds 1 MiB as JSON.');
  const engine = installedEngines()[0]?.version ?? '';
  const { errors, warnings } = await validateInTurns(content, knownBy(engine));
  if (errors.length > 0)
    throw new Failure('invalid', `${errors[0]!.pointer}: ${errors[0]!.detail}`, { errors });
  const references = datasourceReferences(content);
  const wanted = [...new Set(references.map(({ datasourceId }) => datasourceId as string))];
  const known = await lockDatasources(db, projectId, wanted);
  const unusable = references.filter(({ datasourceId }) => !known.has(datasourceId as string)).slice(0, 100);
  if (unusable.length > 0) {
    const detail = 'There is no such datasource in this project.';
    throw new Failure('unusable_reference', `${unusable[0]!.pointer}: ${detail}`, {
      errors: unusable.map(({ pointer }) => ({ pointer, code: 'unusable_reference', detail })),
    });
  }
  return { datasourceIds: wanted, warnings: [...warnings, ...otherTypes(content, known)] };
}

function namesOf(apps: readonly UsingApp[]): string {
  const names = apps.slice(0, 10).map(({ name }) => `“${name}”`);
  return names.join(', ') + (apps.length > names.length ? ` and ${apps.length - names.length} more` : '');
}
