import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from './database.ts';

/** Messages between replicas, each a NOTIFY channel of PostgreSQL. */
export const channels = {
  /** A job can be claimed. */
  jobQueued: 'platen_job_queued',
  /** A job has ended; the payload is its id. */
  jobEnded: 'platen_job_ended',
  /** A job is to be aborted; the payload is its id. */
  jobAborted: 'platen_job_aborted',
  /** A runner was removed; the payload is its id. */
  runnerRemoved: 'platen_runner_removed',
  /** Permissions to read data may have changed: caches of them are invalid. */
  accessChanged: 'platen_access_changed',
  /** Files of a bucket were added, changed or removed; the payload is the id of the bucket. */
  objectsChanged: 'platen_objects_changed',
  /** A resumable upload's write lock was taken or released; payload: the upload's id, and the fence when taken. */
  uploadTurn: 'platen_upload_turn',
} as const;

export type Channel = keyof typeof channels;

export interface Notifications {
  /** Calls `listener` for each notification. @returns a function that unsubscribes */
  on(channel: Channel, listener: (payload: string) => void): () => void;
  /** False while the connection is down: notifications may be missed, so nothing may be cached. */
  isLive(): boolean;
  close(): Promise<void>;
}

/**
 * Listens on a separate connection, and reconnects when it breaks. Notifications sent through `db` are delivered in
 * this
 * process as soon as their transaction commits, so that a replica never answers from data it has just made stale.
 */
export async function listenForNotifications(url: string, db: Db): Promise<Notifications> {
  const events = new EventEmitter().setMaxListeners(0);
  listeners.set(db, events);
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
      if (client !== next) return; // it never connected; the caller of `connect` retries
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
        for (const name of names.values()) events.emit(name, ''); // notifications may have been missed
        return;
      } catch {
        // the server is still unreachable
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

type PendingNotifications = [Channel, string][];

/** The listeners in this process, by database. */
const listeners = new WeakMap<Db, EventEmitter>();
/** The notifications of open transactions, delivered in this process after the commit. */
const pendingByTransaction = new WeakMap<Db, PendingNotifications>();

/** Notifies all replicas; in a transaction, this takes effect with the commit. */
export async function notify(db: Db, channel: Channel, payload = ''): Promise<void> {
  await sql`select pg_notify(${channels[channel]}, ${payload})`.execute(db);
  notifyLocally(db, channel, payload);
}

/** Notifies this process only, after a statement that has notified the other replicas itself. */
export function notifyLocally(db: Db, channel: Channel, payload = ''): void {
  const pending = pendingByTransaction.get(db);
  if (pending) pending.push([channel, payload]);
  else listeners.get(db)?.emit(channel, payload);
}

/**
 * Collects the notifications of a transaction. @returns a function that delivers them, to be called after the commit
 */
export function collectNotifications(db: Db, tx: Db): () => void {
  const pending: PendingNotifications = [];
  pendingByTransaction.set(tx, pending);
  return () => {
    for (const [channel, payload] of pending) listeners.get(db)?.emit(channel, payload);
  };
}
