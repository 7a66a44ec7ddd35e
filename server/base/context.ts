import type { ObjectStore } from '@platen/storage/object-store';
import type { Logger } from 'pino';
import type { RepeatedAudit } from './audit/repeated-audit.ts';
import type { Settings } from './config.ts';
import type { Db } from './database/database.ts';
import type { Lookups } from './database/lookups.ts';
import type { Notifications } from './database/notifications.ts';
import type { ParserPool } from './parsers/parser-pool.ts';
import type { Secrets } from './secrets/secrets.ts';

/** Everything that operations depend on, passed explicitly. */
export interface Context {
  /** In a request with an Idempotency-Key, this is the transaction that also records the reply. */
  readonly db: Db;
  readonly lookups: Lookups;
  readonly store: ObjectStore;
  readonly notifications: Notifications;
  /** Parse files and responses in processes of their own. */
  readonly parsers: ParserPool;
  /** Encrypts credentials of other servers. */
  readonly secrets: Secrets;
  /** For audit entries that anybody can cause at will. */
  readonly repeatedAudit: RepeatedAudit;
  readonly settings: Settings;
  readonly log: Logger;
  readonly now: () => Date;
  /** Added to the database clock when leases are checked: 0, except in tests with a simulated clock. */
  readonly databaseClockOffsetMs: () => number;
}
