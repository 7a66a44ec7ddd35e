import type { ObjectStore } from '@platen/storage/object-store';
import type { Logger } from 'pino';
import type { Settings } from './config.ts';
import type { Db } from './database/database.ts';
import type { Lookups } from './database/lookups.ts';
import type { Notifications } from './database/notifications.ts';
import type { Secrets } from './secrets/secrets.ts';

/** Everything an operation may reach. Passed by hand, so every dependency is visible. */
export interface Context {
  /** Inside a request with an Idempotency-Key this is the transaction that records the reply. */
  readonly db: Db;
  readonly lookups: Lookups;
  readonly store: ObjectStore;
  readonly notifications: Notifications;
  /** Encrypts what opens other servers. */
  readonly secrets: Secrets;
  readonly settings: Settings;
  readonly log: Logger;
  readonly now: () => Date;
  /** By how much leases are judged as if the clock of the database were ahead: 0, but in tests, whose time is made up. */
  readonly leasesAheadMs: () => number;
}
