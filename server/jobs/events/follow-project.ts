import type { JobProgressEvent, ProjectEvent } from '@platen/contract/events';
import type { Permission } from '@platen/contract/permission';
import type { Context } from '../../base/context.ts';
import { frame } from '../../base/event-stream.ts';
import { follow, type Follower, type Turn } from './follow.ts';
import { findBounds, findEvents, moveAll, type EventRow, type RunningJob } from './store.ts';
import type { Watch } from './watch.ts';
import type { WatchedProject } from './watched-project.ts';

/** Events of other types need only `getProject`, as the lists do; these need the permission to read the resource. */
const permissionOf: Partial<Record<ProjectEvent['type'], Permission>> = {
  member: 'getUser',
  job: 'getJob',
  objects: 'getDataBucket',
  credential: 'getCredentials',
};

export interface ClientPosition {
  /** The last event that the client has received; undefined: the client starts now. */
  position: number | undefined;
}

interface ProjectSubscription {
  readonly db: Context['db'];
  readonly watch: Watch;
  readonly watched: WatchedProject;
  readonly follower: Follower;
  readonly place: ClientPosition;
}

/** Sends the changes of a project to a client until the stream ends. */
export async function followProject(
  { db, log }: Pick<Context, 'db' | 'log'>,
  watch: Watch,
  { follower, place }: { follower: Follower; place: ClientPosition },
): Promise<void> {
  const watched = watch.project(follower.projectId, follower.signal.set);
  const following = { db, watch, watched, follower, place };
  let hasBegun = false;
  let version = 0;
  try {
    await follow({ log }, follower, async () => {
      if (!hasBegun) {
        await begin(following);
        ({ version } = watched);
        hasBegun = true;
        return 'more';
      }
      const progress = watched.progressSince(version);
      ({ version } = watched);
      return sendNext(following, progress);
    });
  } finally {
    watch.leave(watched, follower.signal.set);
  }
}

async function begin(following: ProjectSubscription): Promise<void> {
  const { db, watch, follower, place } = following;
  const { position: after } = place;
  if (after === undefined) return sendStart(following, 'ready');
  const asked = { projectId: follower.projectId, after, limit: 1 };
  const page = await watch.share(`begin ${asked.projectId} ${after}`, () => findEvents(db, asked));
  if (page.isTooOld) await sendStart(following, 'reset');
}

async function sendStart(
  { db, watch, follower, place }: ProjectSubscription,
  event: 'ready' | 'reset',
): Promise<void> {
  const { head } = await watch.share('begin', async () => {
    await moveAll(db);
    return findBounds(db);
  });
  place.position = head;
  await follower.stream.write(frame(event, {}, String(head)));
}

async function sendNext(following: ProjectSubscription, progress: readonly RunningJob[]): Promise<Turn> {
  const { watch, watched, follower, place } = following;
  const { stream, caller } = follower;
  const { events, position, isTooOld } = await watch.eventsAfter(watched, place.position!);
  if (isTooOld) {
    await sendStart(following, 'reset');
    return 'more';
  }
  if (events.length === 0 && progress.length === 0) {
    place.position = position;
    return 'wait';
  }
  const permissions = await follower.confirm();
  if (!permissions.has('getProject')) {
    stream.end();
    return 'wait';
  }
  place.position = position;
  await stream.write(textOf(events, progress, { permissions, userId: caller.userId }));
  return events.length > 0 ? 'more' : 'wait';
}

interface Reader {
  readonly permissions: ReadonlySet<Permission>;
  readonly userId: string;
}

function textOf(events: readonly EventRow[], progress: readonly RunningJob[], reader: Reader): string {
  const changes = events.filter((row) => maySee(row, reader)).map(frameOf);
  const running = reader.permissions.has('getJob') ? progress : [];
  return [...changes, ...running.map((job) => frame('progress', progressOf(job)))].join('');
}

function maySee({ type, owner_id: ownerId }: EventRow, { permissions, userId }: Reader): boolean {
  const permission = permissionOf[type];
  return permission === undefined || permissions.has(permission) || ownerId === userId;
}

/** The rendered event, shared by all clients served from memory. */
const frames = new WeakMap<EventRow, string>();

function frameOf(row: EventRow): string {
  const text = frames.get(row) ?? frame('change', eventOf(row), String(row.position));
  frames.set(row, text);
  return text;
}

function eventOf(row: EventRow): ProjectEvent {
  return {
    type: row.type,
    action: row.action,
    _id: row.resource_id,
    ...(row.revision !== null && { revision: row.revision }),
    ...(row.by !== null && { by: row.by }),
    at: row.at.toISOString(),
    ...(row.count !== null && { count: row.count }),
    ...(row.task_id !== null && { taskId: row.task_id }),
    ...(row.state !== null && { state: row.state }),
  };
}

function progressOf({ id: _id, taskId, revision, progress }: RunningJob): JobProgressEvent {
  return { _id, taskId, revision, progress };
}
