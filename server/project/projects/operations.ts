import type {
  NewProject,
  Project,
  ProjectChange,
  ProjectListQuery,
  ProjectSummary,
} from '@platen/contract/projects';
import type { Page } from '@platen/contract/schema';
import type { Quota } from '@platen/contract/usage';
import { changesOf, recordAudit } from '../../base/audit/record-audit.ts';
import { requireDatasources } from '../../apps/base-maps/require-datasources.ts';
import { requireBaseMaps } from '../../identity/base-maps/check-base-maps.ts';
import { insertBucket } from '../../files/buckets/store.ts';
import { isUnchanged } from '../../base/is-unchanged.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { notify } from '../../base/database/notifications.ts';
import { changedMeanwhile, Failure, invalidAt, notFound, unusableAt } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { addFirstManager } from '../../identity/members/operations.ts';
import { findUser } from '../../identity/users/store.ts';
import {
  countContents,
  findProject,
  findProjects,
  insertProject,
  lockProject,
  updateProject,
} from './store.ts';

/** Admins see every project, others those to which they are assigned. */
export function listProjects(
  { db }: Context,
  caller: Caller,
  query: ProjectListQuery,
): Promise<Page<Project>> {
  const memberId = caller.isAdmin ? undefined : caller.userId;
  return findProjects(db, query, { memberId, onlyId: caller.tokenProjectId });
}

/** Creates a project with a default data bucket and one manager: the caller, or the user of `managerId`. */
export async function createProject(
  { db, now }: Context,
  caller: Caller,
  { body, managerId = caller.userId }: { body: NewProject; managerId: string | undefined },
): Promise<Project> {
  checkBbox(body.bbox);
  const { baseMaps = [] } = body;
  requireBaseMaps(baseMaps);
  const at = now();
  return inTransaction(db, async (tx) => {
    const manager = await findUser(tx, managerId);
    if (!manager?.isActive) throw unusableAt('managerId', 'There is no such active user.');
    const id = newId(at);
    const bucketId = newId(at);
    await requireDatasources(tx, id, baseMaps);
    const project = await insertProject(tx, {
      _id: id,
      ...body,
      properties: body.properties ?? {},
      quota: body.quota ?? {},
      keepJobs: body.keepJobs ?? {},
      baseMaps,
      defaultDataBucketId: bucketId,
      createdBy: caller.userId,
      now: at,
    });
    const bucket = { _id: bucketId, projectId: id, name: `default-${id}`, description: '', properties: {} };
    await insertBucket(tx, { ...bucket, createdBy: caller.userId, now: at });
    await addFirstManager(tx, { projectId: id, userId: managerId, now: at, by: caller.userId });
    const detail = { name: body.name, managerId };
    await recordAudit(tx, { now: at, caller, action: 'project.create', projectId: id, targetId: id, detail });
    return project;
  });
}

export async function getProject({ db }: Context, projectId: string): Promise<Project> {
  const project = await findProject(db, projectId);
  if (!project) throw notFound('project');
  return project;
}

export async function changeProject(
  { db, now }: Context,
  caller: Caller,
  { projectId, body, ifMatch }: { projectId: string; body: ProjectChange; ifMatch: number | undefined },
): Promise<Project> {
  if (body.bbox) checkBbox(body.bbox);
  const { name, description, bbox, properties, quota, keepJobs, baseMaps } = body;
  if (baseMaps) requireBaseMaps(baseMaps);
  if (quota && !caller.isAdmin) await requireSameQuota(db, projectId, quota);
  const fields = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(bbox && { bbox }),
    ...(properties && { properties }),
    ...(quota && caller.isAdmin && { quota }),
    ...(keepJobs && { keepJobs }),
    ...(baseMaps && { baseMaps }),
  };
  return inTransaction(db, async (tx) => {
    const before = await lockProject(tx, projectId);
    if (!before) throw notFound('project');
    if (ifMatch !== undefined && ifMatch !== before.revision) throw changedMeanwhile();
    if (isUnchanged(before, fields)) return before;
    if (baseMaps) await requireDatasources(tx, projectId, baseMaps);
    const changed = await updateProject(tx, projectId, { fields, now: now(), by: caller.userId });
    const detail = changesOf(before, changed, [
      'name',
      'description',
      'bbox',
      'quota',
      'keepJobs',
      'baseMaps',
    ]);
    const entry = { now: now(), caller, projectId, targetId: projectId, detail };
    await recordAudit(tx, { ...entry, action: 'project.change' });
    if (fields.baseMaps) await notify(tx, 'accessChanged'); // public maps show other ones
    if (fields.quota) await notify(tx, 'jobQueued'); // more of its jobs may run now
    return changed;
  });
}

/** Accepts an unchanged quota, so that clients can send back what they read. @throws Failure `forbidden` */
async function requireSameQuota(db: Db, projectId: string, wanted: Quota): Promise<void> {
  const { quota = {} } = (await findProject(db, projectId)) ?? {};
  const names = ['bytes', 'objects', 'runningJobs'] as const;
  if (names.every((name) => quota[name] === wanted[name])) return;
  throw new Failure('forbidden', 'Only administrators may change the quota of a project. Leave it out.');
}

export async function summariseProject({ db }: Context, projectId: string): Promise<ProjectSummary> {
  const counts = await countContents(db, projectId);
  const { members: numberOfUsers, datasources: numberOfDatasources } = counts;
  return { ...counts, numberOfUsers, numberOfDatasources, numberOfDatabases: 0 };
}

function checkBbox([, south, , north]: readonly number[]): void {
  if (Math.abs(south!) > 90 || Math.abs(north!) > 90)
    throw invalidAt('/bbox', 'Latitudes must be between -90 and 90.');
  if (south! > north!)
    throw invalidAt('/bbox', 'The order is west, south, east, north: south must not exceed north.');
}
