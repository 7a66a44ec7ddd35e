import type { Db } from '../base/database/database.ts';
import { Hook } from '../base/hook.ts';

/** Data was read by a visit in the second half of its lifetime; the listener extends it. */
export const visitUsed = new Hook<[db: Db, secretHash: Buffer, now: Date]>();
