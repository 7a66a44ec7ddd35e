import type { Context } from '../../base/context.ts';
import { notFound } from '../../base/failure.ts';
import type { Caller } from '../../base/caller.ts';
import { newSignal } from './signal.ts';
import { openConfirm, type Confirm } from './confirm.ts';
import type { EventStream } from '../../base/event-stream.ts';
import type { Follower } from './follow.ts';
import { followJob, hasReceivedAll, type Seen } from './follow-job.ts';
import { followProject, type ClientPosition } from './follow-project.ts';
import { openListeners, type Listener, type Listeners } from './listeners.ts';
import { startRemoval } from './remove-old.ts';
import { findJobRows } from './store.ts';
import { Watch } from './watch.ts';

/** An admitted client; it counts towards the limits until its stream has ended. */
export interface EventClient {
  heartbeat(): string;
  onEnd(): void;
  run(stream: EventStream): Promise<void>;
}

export interface Events {
  /** @throws Failure `too_many_requests` */
  ofProject(caller: Caller, wanted: { projectId: string; seen: number | undefined }): EventClient;
  /** Returns undefined when the client has received everything. @throws Failure `not_found`, `too_many_requests` */
  ofJob(
    caller: Caller,
    wanted: { projectId: string; jobId: string; seen: Seen },
  ): Promise<EventClient | undefined>;
  /** Returns at once. */
  start(following: EventClient, stream: EventStream): void;
  close(): Promise<void>;
}

/** All event streams of this replica. Without clients, only the removal of old events runs. */
export function openEvents(context: Context): Events {
  const watch = new Watch(context);
  const confirm = openConfirm(context);
  const listeners = openListeners(context, confirm);
  const stopRemoval = startRemoval(context);
  const doors = { listeners, confirm };
  return {
    ofProject(caller, { projectId, seen }) {
      const place: ClientPosition = { position: seen };
      const run = (follower: Follower) => followProject(context, watch, { follower, place });
      const heartbeat = heartbeatOf(place);
      return letIn(doors, { caller, projectId, permission: 'getProject' }, { heartbeat, run });
    },
    async ofJob(caller, { projectId, jobId, seen }) {
      const [row] = await findJobRows(context.db, [jobId]);
      if (!row) throw notFound('job'); // deleted since the permissions were checked
      // after a restore from a backup, the client may know revisions that no longer exist
      const isOurs = seen.revision <= row.revision && seen.logSeq <= row.log_seq;
      const start = isOurs ? seen : { revision: 0, logSeq: 0 };
      if (hasReceivedAll(row, start)) return undefined;
      const run = (follower: Follower) => followJob(context, watch, { follower, jobId, seen: start });
      const heartbeat = () => ':\n\n';
      return letIn(doors, { caller, projectId, permission: 'getJob' }, { heartbeat, run });
    },
    start(following, stream) {
      following
        .run(stream)
        .catch((error: unknown) => context.log.error({ err: error }, 'an event stream failed'))
        .finally(() => stream.end());
    },
    async close() {
      listeners.close();
      await Promise.all([watch.close(), stopRemoval()]);
    },
  };
}

interface Doors {
  readonly listeners: Listeners;
  readonly confirm: Confirm;
}

interface What {
  readonly heartbeat: () => string;
  readonly run: (follower: Follower) => Promise<void>;
}

/** @throws Failure `too_many_requests` */
function letIn(
  { listeners, confirm }: Doors,
  who: Omit<Listener, 'end'>,
  { heartbeat, run }: What,
): EventClient {
  const signal = newSignal();
  let stream: EventStream | undefined;
  const listener = { ...who, end: () => stream?.end() };
  listeners.add(listener);
  const { caller, projectId } = who;
  const { tokenHash } = caller;
  return {
    heartbeat() {
      signal.set(); // without events, the position still advances
      return heartbeat();
    },
    onEnd() {
      listeners.remove(listener);
      signal.set();
    },
    run(opened) {
      stream = opened;
      return run({
        caller,
        projectId,
        stream,
        signal,
        confirm: () => confirm({ tokenHash, projectId }),
      });
    },
  };
}

/** The heartbeat carries the position, so that the ID of a client without events does not become too old. */
function heartbeatOf(place: ClientPosition): () => string {
  let sentPosition = place.position;
  return () => {
    if (place.position === sentPosition) return ':\n\n';
    sentPosition = place.position;
    return `:\nid: ${sentPosition}\n\n`;
  };
}
