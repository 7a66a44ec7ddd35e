import type { Caller } from '../../base/caller.ts';
import type { Db } from '../../base/database/database.ts';

/** Where what parameters name is looked for, and by whose rights. */
export interface ReferenceScope {
  readonly db: Db;
  readonly projectId: string;
  /** Whose rights count when a task is written; when its job starts they counted already. */
  readonly caller?: Caller;
}
