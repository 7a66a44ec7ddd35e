import type { Publication as PublicationRequest, Publications } from '@platen/contract/publish';
import type { Deleted, FreeForm } from '@platen/contract/schema';
import type { Task } from '@platen/contract/tasks';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { inTransaction } from '../../base/database/transaction.ts';
import { Failure, notFound } from '../../base/failure.ts';
import { may, maySee, type Caller } from '../../base/caller.ts';
import { typeNameOf } from '../../base/type-name.ts';
import { changeTask, createTask, removeTask, withLastJobs } from '../../jobs/tasks/operations.ts';
import { findCredential } from '../credentials/store.ts';
import { findJob } from '../../jobs/store.ts';
import { runTask } from '../../jobs/tasks/run.ts';
import { findTask, findTasksById } from '../../jobs/tasks/store.ts';
import { cleanDestination, publicationOf, publishables, type Publishable } from './publication.ts';
import { findPublishable, type PublishableRow } from './store.ts';

export interface PublishPath {
  readonly projectId: string;
  readonly type: Publishable;
  readonly id: string;
}

const maxNameLength = 255;

/**
 * The task that publishes it to this destination, new or changed; it runs at once, unless it is for later.
 * @throws Failure `conflict` where something else is published to that destination
 */
export async function publish(
  context: Context,
  caller: Caller,
  { body, ...path }: PublishPath & { readonly body: PublicationRequest },
): Promise<Task> {
  const { credentialsId, schedule, numThreads } = body;
  const destination = cleanDestination(body.destination ?? '', '/destination');
  const { projectId, type, id } = path;
  const { field, jobName } = publishables[type];
  return inTransaction(context.db, async (tx) => {
    const inside = { ...context, db: tx };
    const gzip = body.gzip ?? (await findCredential(tx, projectId, credentialsId))?.target.gzip;
    const options = {
      [field]: id,
      credentialsId,
      destination,
      ...(numThreads !== undefined && { numThreads }),
      ...(gzip !== undefined && { gzip }),
    };
    const given = { parameters: { options }, ...(schedule && { schedule }) };
    const row = await requireRow(tx, path, { lock: true });
    requireSight(caller, path, row);
    const detail = { name: row.name, credentialsId, destination };
    const entry = { now: context.now(), caller, projectId, targetId: id, detail };
    await recordAudit(tx, { ...entry, action: `${type}.publish` });
    const task = await findPublication(tx, { projectId, row, credentialsId, destination });
    if (task) return publishAgain(inside, caller, { task, given });
    const name = Array.from(`Publish “${row.name}”`).slice(0, maxNameLength).join('');
    return createTask(inside, caller, { projectId, body: { name, jobType: `platen${jobName}`, ...given } });
  }).catch((error: unknown) => {
    throw pointingToBody(error);
  });
}

interface Republication {
  readonly task: Task;
  readonly given: { readonly parameters: FreeForm; readonly schedule?: Task['schedule'] };
}

async function publishAgain(context: Context, caller: Caller, { task, given }: Republication): Promise<Task> {
  const path = { projectId: task.projectId, taskId: task._id };
  const change = { ...path, body: given, overwriteParameters: false, ifMatch: undefined };
  const changed = await changeTask(context, caller, change);
  const isForNow = given.schedule === undefined || given.schedule.type === 'immediate';
  if (!isForNow || changed.lastJobId !== task.lastJobId) return changed;
  const job = await runTask(context, caller, { ...path, body: {} });
  return { ...changed, lastJobId: job._id };
}

interface PublicationQuery {
  readonly projectId: string;
  readonly row: PublishableRow;
  readonly credentialsId: string;
  readonly destination: string;
}

async function findPublication(
  tx: Db,
  { projectId, row, credentialsId, destination }: PublicationQuery,
): Promise<Task | undefined> {
  const tasks = await findTasksById(tx, projectId, row.taskIds);
  return tasks.find(({ jobType, parameters }) => {
    const publication = publicationOf(typeNameOf(jobType), parameters['options'] as FreeForm);
    return publication?.credentialsId === credentialsId && publication.destination === destination;
  });
}

/** The newest first. @throws Failure `not_found` if the given task is none of them */
export async function listPublications(
  { db }: Context,
  caller: Caller,
  { taskId, ...path }: PublishPath & { readonly taskId?: string },
): Promise<Publications> {
  const row = await requireRow(db, path);
  const tasks = await findTasksById(db, path.projectId, row.taskIds);
  const items = await withLastJobs(db, caller, tasks);
  const task = taskId === undefined ? items[0] : items.find(({ _id }) => _id === taskId);
  if (taskId !== undefined && !task) throw noPublication();
  const { lastJob } = task ?? {};
  const whole = lastJob && may(caller, 'getJob') ? await findJob(db, path.projectId, lastJob._id) : undefined;
  const job = whole ?? lastJob;
  return { items, ...(task && { task }), ...(job && { job }) };
}

export const noPublication = (): Failure => notFound('task that publishes it');

/** Moves its tasks to the trash. @throws Failure `conflict` while one of their jobs runs */
export async function endPublications(
  context: Context,
  caller: Caller,
  { taskId, ...path }: PublishPath & { readonly taskId: string | undefined },
): Promise<Deleted> {
  const { projectId } = path;
  return inTransaction(context.db, async (tx) => {
    const row = await requireRow(tx, path, { lock: true });
    requireSight(caller, path, row);
    if (taskId !== undefined && !row.taskIds.includes(taskId)) throw noPublication();
    const ended = taskId === undefined ? row.taskIds : [taskId];
    for (const id of ended) {
      if (await findTask(tx, projectId, id))
        await removeTask({ ...context, db: tx }, caller, { projectId, taskId: id });
    }
    return { numberOfDeletedItems: ended.length };
  });
}

export async function requireRow(
  db: Db,
  path: PublishPath,
  options?: { lock: boolean },
): Promise<PublishableRow> {
  const row = await findPublishable(db, path, options);
  if (!row) throw notFound(path.type);
  return row;
}

/**
 * Publishing a scenario requires the permission to read it: users who create scenarios may not see those of others.
 */
export function requireSight(caller: Caller, { type }: PublishPath, { createdBy }: PublishableRow): void {
  if (type === 'scenario' && !maySee(caller, 'getModule', createdBy))
    throw new Failure(
      'forbidden',
      'You need the permission getModule to publish scenarios that others created.',
    );
}

/** Errors point to this body, not to the task created from it. */
function pointingToBody(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const shorten = (text: string) => text.replace(/^\/parameters\/options\//, '/');
  const errors = error.errors.map((one) => ({ ...one, pointer: shorten(one.pointer) }));
  return new Failure(error.code, shorten(error.message), { errors, cause: error });
}
