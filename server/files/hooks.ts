import type { Context } from '../base/context.ts';
import type { Db } from '../base/database/database.ts';
import { Hook } from '../base/hook.ts';
import type { Arrival } from './objects/arrival.ts';
import type { Transfer } from './objects/transfer-store.ts';

/** A file is stored: its bytes are durable, and its row is committed. Listeners never throw. */
export const fileStored = new Hook<[context: Context, file: Arrival]>();

/** Files were moved, in the transaction that moves them. */
export const filesMoved = new Hook<[tx: Db, transfer: Transfer]>();
