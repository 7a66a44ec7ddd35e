import { setTimeout as sleep } from 'node:timers/promises';
import type { Permission } from '@platen/contract/permission';
import type { Context } from '../../base/context.ts';
import type { EventStream } from '../../base/event-stream.ts';
import type { Caller } from '../../base/caller.ts';
import type { Bell } from './bell.ts';

/** One client that follows something. */
export interface Follower {
  readonly caller: Caller;
  readonly projectId: string;
  readonly stream: EventStream;
  readonly bell: Bell;
  /** What they may do now. */
  readonly confirm: () => Promise<ReadonlySet<Permission>>;
}

/** Whether there is more to tell at once. */
export type Turn = 'more' | 'wait';

const afterFailureMs = 1_000;

/**
 * Calls `turn` whenever the bell rings, and at once again as long as it says that there is more. Where the database is away
 * nothing is told until it is back.
 */
export async function follow(
  { log }: Pick<Context, 'log'>,
  { stream, bell }: Follower,
  turn: () => Promise<Turn>,
): Promise<void> {
  while (stream.isOpen) {
    try {
      if ((await turn()) === 'wait' && stream.isOpen) await bell.heard();
    } catch (error) {
      log.debug({ err: error }, 'a stream of events has to wait');
      await sleep(afterFailureMs);
    }
  }
}
