import type { Caller } from '../../base/caller.ts';
import type { Db } from '../../base/database/database.ts';

/** The project in which references are resolved, and the caller whose permissions count. */
export interface ReferenceScope {
  readonly db: Db;
  readonly projectId: string;
  /** The caller when a task is saved; undefined when its job starts, because permissions were checked then. */
  readonly caller?: Caller;
}
