import type { NewScenario, Scenario, ScenarioChange, ScenarioListQuery } from '@platen/contract/scenarios';
import type { Deleted, Page } from '@platen/contract/schema';
import { requireFit } from '../require-fit.ts';
import { findApp } from '../store.ts';
import { isUnchanged } from '../../base/is-unchanged.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { changedMeanwhile, notFound, unusableAt } from '../../base/failure.ts';
import { may, type Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { memberFor } from '../modules/reader.ts';
import { usableModules } from '../modules/usable-modules.ts';
import { moveToTrash } from '../../base/trash/move-to-trash.ts';
import {
  deleteScenario,
  findScenario,
  findScenarios,
  insertScenario,
  lockScenario,
  updateScenario,
} from './store.ts';

interface ScenarioPath {
  readonly projectId: string;
  readonly scenarioId: string;
}

export function listScenarios(
  { db }: Context,
  caller: Caller,
  projectId: string,
  query: ScenarioListQuery,
): Promise<Page<Scenario>> {
  return findScenarios(db, projectId, query, may(caller, 'getModule') ? undefined : caller.userId);
}

interface Creation {
  readonly projectId: string;
  readonly body: NewScenario;
  readonly memberId: string | undefined;
}

export async function createScenario(
  { db, now }: Context,
  caller: Caller,
  { projectId, body, memberId: wanted }: Creation,
): Promise<Scenario> {
  const { name, description = '', properties = {}, config = {}, public: isPublic = false } = body;
  const { moduleIds = [], appId } = body;
  const at = now();
  return inTransaction(db, async (tx) => {
    const memberId = await memberFor(tx, caller, projectId, wanted);
    await requireFit(tx, projectId, moduleIds);
    await usableModules(tx, caller, { projectId, memberId, moduleIds });
    await requireApp(tx, projectId, appId);
    const fields = { name, description, properties, config, public: isPublic, appId: appId ?? undefined };
    const write = { id: newId(at), projectId, fields, moduleIds, memberId, by: caller.userId, now: at };
    return insertScenario(tx, write);
  });
}

export async function getScenario(
  { db }: Context,
  { projectId, scenarioId }: ScenarioPath,
): Promise<Scenario> {
  const scenario = await findScenario(db, projectId, scenarioId);
  if (!scenario) throw notFound('scenario');
  return scenario;
}

/** Changes the fields present. */
export async function changeScenario(
  { db, now }: Context,
  caller: Caller,
  {
    projectId,
    scenarioId: id,
    body,
    ifMatch,
  }: ScenarioPath & { readonly body: ScenarioChange; readonly ifMatch: number | undefined },
): Promise<Scenario> {
  return inTransaction(db, async (tx) => {
    const stored = await lockScenario(tx, projectId, id);
    if (!stored) throw notFound('scenario');
    if (ifMatch !== undefined && ifMatch !== stored.revision) throw changedMeanwhile();
    const { moduleIds } = body;
    if (moduleIds) {
      await requireFit(tx, projectId, moduleIds);
      const { memberId, moduleIds: kept } = stored;
      await usableModules(tx, caller, { projectId, memberId, moduleIds, kept });
    }
    const appId = body.appId === undefined ? stored.appId : (body.appId ?? undefined);
    if (appId !== stored.appId) await requireApp(tx, projectId, appId);
    const { name = stored.name, description = stored.description, properties = stored.properties } = body;
    const { config = stored.config, public: isPublic = stored.public } = body;
    const fields = { name, description, properties, config, public: isPublic, appId };
    if (isUnchanged(stored, { ...fields, moduleIds })) return stored;
    return updateScenario(tx, { id, projectId, fields, moduleIds, by: caller.userId, now: now() });
  });
}

/** Moves a scenario to the trash; tasks that publish it fail from then on. */
export async function removeScenario(
  { db, now }: Context,
  caller: Caller,
  { projectId, scenarioId: id }: ScenarioPath,
): Promise<Deleted> {
  return inTransaction(db, async (tx) => {
    const scenario = await lockScenario(tx, projectId, id);
    if (!scenario) throw notFound('scenario');
    const { name, createdBy: ownerId } = scenario;
    const what = { type: 'scenario', projectId, resourceId: id, name, ownerId } as const;
    const entry = { ...what, by: caller.userId, from: caller, now: now() };
    return { numberOfDeletedItems: await moveToTrash(tx, entry, () => deleteScenario(tx, id)) };
  });
}

/** Everyone in the project may see its name. @throws Failure `unusable_reference` */
async function requireApp(tx: Db, projectId: string, appId: string | null | undefined): Promise<void> {
  if (appId == null || (await findApp(tx, projectId, appId))) return;
  throw unusableAt('/appId', 'There is no such app in this project.');
}
