import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from './database.ts';

/** What replicas tell each other; each is a channel of PostgreSQL's NOTIFY. */
export const channels = {
  /** A job can be claimed. */
  jobQueued: 'platen_job_queued',
  /** A job has ended; the payload is its id. */
  jobEnded: 'platen_job_ended',
  /** A job was asked to stop; the payload is its id. */
  jobAborted: 'platen_job_aborted',
  /** A runner was removed; the payload is its id. */
  runnerRemoved: 'platen_runner_removed',
  /** Who may read which data may have changed: caches of it are void. */
  accessChanged: 'platen_access_changed',
  /** Files of a bucket have come, changed or gone; the payload is the bucket's id. */
  objectsChanged: 'platen_objects_changed',
  /** Somebody wants to write to a resumable upload, or has ended that; the payload is its id, with the turn or without. */
  uploadTurn: 'platen_upload_turn',
} as const;

export type Channel = keyof typeof channels;

export interface Notifications {
  /** Calls `listener` for each notification; the returned function ends that. */
  on(channel: Channel, listener: (payload: string) => void): () => void;
  /** False while the listening connection is down: notifications may be missed, so nothing may be cached. */
  isLive(): boolean;
  close(): Promise<void>;
}

/**
 * Listens on a connection of its own, and connects again when it breaks. What is told through `db` is heard by the time its
 * transaction has been committed, so that a replica never answers from what its own last change has made void.
 */
export async function listenForNotifications(url: string, db: Db): Promise<Notifications> {
  const events = new EventEmitter().setMaxListeners(0);
  own.set(db, events);
  const names = new Map(Object.entries(channels).map(([name, channel]) => [channel as string, name]));
  const closing = new AbortController();
  let client: pg.Client | undefined;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'platen notifications',
      keepAlive: true,
    });
    next.on('error', () => {});
    next.on('end', () => {
      if (client !== next) return; // it never came up: whoever tried to connect tries again
      client = undefined;
      if (!closing.signal.aborted) void reconnect();
    });
    next.on('notification', ({ channel, payload }) => events.emit(names.get(channel) ?? '', payload ?? ''));
    await next.connect();
    await next.query(
      Object.values(channels)
        .map((channel) => `listen ${channel}`)
        .join('; '),
    );
    client = next;
  };
  const reconnect = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await sleep(250, undefined, { signal: closing.signal }).catch(() => {});
      try {
        await connect();
        for (const name of names.values()) events.emit(name, ''); // something may have been missed
        return;
      } catch {
        // the server is still away: try again
      }
    }
  };
  await connect();
  return {
    on(channel, listener) {
      events.on(channel, listener);
      return () => events.off(channel, listener);
    },
    isLive: () => client !== undefined,
    async close() {
      closing.abort();
      await client?.end();
    },
  };
}

type Told = [Channel, string][];

/** Those who listen in this process, by the database through which it tells. */
const own = new WeakMap<Db, EventEmitter>();
/** What a transaction will have told when it is committed. */
const untilCommit = new WeakMap<Db, Told>();

/** Tells all replicas; inside a transaction it takes effect with the commit. */
export async function notify(db: Db, channel: Channel, payload = ''): Promise<void> {
  await sql`select pg_notify(${channels[channel]}, ${payload})`.execute(db);
  passOn(db, channel, payload);
}

/** For a statement that has told the other replicas itself. */
export function passOn(db: Db, channel: Channel, payload = ''): void {
  const told = untilCommit.get(db);
  if (told) told.push([channel, payload]);
  else own.get(db)?.emit(channel, payload);
}

/** Collects what the transaction tells; the returned function passes it on, once that is committed. */
export function collectTold(db: Db, tx: Db): () => void {
  const told: Told = [];
  untilCommit.set(tx, told);
  return () => {
    for (const [channel, payload] of told) own.get(db)?.emit(channel, payload);
  };
}
