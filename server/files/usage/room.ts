import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { newId } from '../../base/ids.ts';
import { requireFileSize } from './refusal.ts';
import {
  endReservation,
  holdForJob,
  renewEveryMs,
  renewReservation,
  reserve,
  spend,
  type Account,
} from './reserve.ts';
import { findLimits, type Amount } from './store.ts';

/** Room for files that come one after the other; what a quota does not have left never gets as far as the store. */
export interface Room {
  /** Before each file. @throws Failure `storage_full` */
  begin(): Promise<void>;
  /** The bytes of the file that has begun. Reading them throws `storage_full` or `too_large` before what is too much. */
  measure(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** In the transaction in which the file comes to be. */
  spend(tx: Db, bytes: number): Promise<void>;
  /** After that transaction. */
  spent(bytes: number): void;
  /** Gives back what is left over. */
  end(): Promise<void>;
}

interface Place {
  readonly projectId: string;
  /** Where it is known already. */
  readonly bucketId?: string;
  /** Whose output the files are: they count as set aside until the job ends. */
  readonly jobId?: string;
}

const firstStep: Amount = { bytes: 1024 * 1024, objects: 1 };
const longestStep: Amount = { bytes: 64 * 1024 * 1024, objects: 256 };

/** What is known of all files together before they come, in bytes. */
interface Expected {
  readonly atLeast: number;
  readonly atMost: number;
}

const unknown: Expected = { atLeast: 0, atMost: 0 };

/** @throws Failure `storage_full` when the least is too much already */
export async function openRoom(
  context: Context,
  place: Place,
  { atLeast, atMost }: Expected = unknown,
): Promise<Room> {
  const limits = await findLimits(context.db, place.projectId, context.settings);
  const isLimited = limits?.bytes !== undefined || limits?.objects !== undefined;
  if (!isLimited) return roomWithoutQuota(context);
  const { projectId, bucketId, jobId } = place;
  const account = { id: newId(context.now()), projectId, ...(bucketId !== undefined && { bucketId }) };
  const need = { bytes: atLeast, objects: 0 };
  const set = await reserve(context, account, { need, want: { bytes: atMost, objects: 0 } });
  const timer = setInterval(() => {
    renewReservation(context, account.id).catch(() => {}); // the next one does, or the room goes to others
  }, renewEveryMs).unref();
  return roomOf(context, account, {
    set,
    ...(jobId !== undefined && { jobId }),
    async end() {
      clearInterval(timer);
      await endReservation(context.db, account.id);
    },
  });
}

/** The room of a resumable upload, which has `arrived` bytes and has set aside as much as its row says. */
export function roomOfUpload(context: Context, account: Account, set: Amount, arrived: number): Room {
  return roomOf(context, account, { set, arrived, end: async () => {} });
}

function roomWithoutQuota({ settings: { maxFileBytes } }: Context): Room {
  return {
    async begin() {},
    measure: (body) =>
      maxFileBytes === undefined ? body : measured(body, 0, (bytes) => requireFileSize(bytes, maxFileBytes)),
    async spend() {},
    spent() {},
    async end() {},
  };
}

interface Beginning {
  readonly set: Amount;
  readonly arrived?: number;
  readonly jobId?: string;
  readonly end: () => Promise<void>;
}

function roomOf(context: Context, account: Account, { set, arrived = 0, jobId, end }: Beginning): Room {
  const { maxFileBytes } = context.settings;
  let { bytes, objects } = set;
  let step = firstStep;
  const more = async (need: Amount) => {
    const want = {
      bytes: need.bytes && Math.max(need.bytes, step.bytes),
      objects: need.objects && step.objects,
    };
    const got = await reserve(context, account, { need, want, have: { bytes, objects } });
    step = {
      bytes: Math.min(step.bytes * 2, longestStep.bytes),
      objects: Math.min(step.objects * 2, longestStep.objects),
    };
    bytes += got.bytes;
    objects += got.objects;
  };
  return {
    async begin() {
      if (objects < 1) await more({ bytes: 0, objects: 1 });
    },
    measure: (body) =>
      measured(body, arrived, (soFar) => {
        requireFileSize(soFar, maxFileBytes);
        return soFar > bytes ? more({ bytes: soFar - bytes, objects: 0 }) : undefined;
      }),
    async spend(tx, size) {
      await spend(tx, account.id, { bytes: Math.min(size, bytes), objects: 1 });
      if (jobId !== undefined) await holdForJob(tx, { projectId: account.projectId, jobId }, size);
    },
    spent(size) {
      bytes -= Math.min(size, bytes);
      objects -= 1;
    },
    end,
  };
}

/** Asks before each chunk is handed on, with the bytes up to its end. */
function measured(
  body: AsyncIterable<Uint8Array>,
  arrived: number,
  ask: (soFar: number) => Promise<void> | undefined | void,
): AsyncIterable<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  let soFar = arrived;
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const step = await chunks.next();
    if (step.done) return step;
    soFar += step.value.byteLength;
    const asked = ask(soFar);
    if (asked) await asked;
    return step;
  };
  const stop = async (): Promise<IteratorResult<Uint8Array>> => {
    await chunks.return?.();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) };
}
