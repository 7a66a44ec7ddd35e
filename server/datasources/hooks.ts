import type { Db } from '../base/database/database.ts';
import { Hook } from '../base/hook.ts';

/** Data was read by the secret of a visit whose life is half over: what keeps visits gives it more. */
export const visitUsed = new Hook<[db: Db, secretHash: Buffer, now: Date]>();
