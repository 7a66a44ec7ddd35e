import { setTimeout as sleep } from 'node:timers/promises';
import type { Permission } from '@platen/contract/permission';
import type { Context } from '../../base/context.ts';
import type { EventStream } from '../../base/event-stream.ts';
import type { Caller } from '../../base/caller.ts';
import type { Signal } from './signal.ts';

/** A client of an event stream. */
export interface Follower {
  readonly caller: Caller;
  readonly projectId: string;
  readonly stream: EventStream;
  readonly signal: Signal;
  /** Looks up the current permissions of the caller. */
  readonly confirm: () => Promise<ReadonlySet<Permission>>;
}

/** `more`: call again at once; `wait`: wait for the signal. */
export type Turn = 'more' | 'wait';

const afterFailureMs = 1_000;

/**
 * Calls `turn` whenever the signal is set, and again at once while it returns `more`. While the database is
 * unreachable, nothing is sent.
 */
export async function follow(
  { log }: Pick<Context, 'log'>,
  { stream, signal }: Follower,
  turn: () => Promise<Turn>,
): Promise<void> {
  while (stream.isOpen) {
    try {
      if ((await turn()) === 'wait' && stream.isOpen) await signal.wait();
    } catch (error) {
      log.debug({ err: error }, 'an event stream failed temporarily and retries');
      await sleep(afterFailureMs);
    }
  }
}
