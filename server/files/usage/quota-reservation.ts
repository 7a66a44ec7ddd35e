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
  releasePart,
  type Account,
} from './reserve.ts';
import { findLimits, type Amount } from './store.ts';

/** Quota set aside for files that arrive one after the other, so that bytes beyond it never reach the object store. */
export interface QuotaReservation {
  /** Reserves one file; call it before each. @throws Failure `storage_full` */
  reserveFile(): Promise<void>;
  /** Reserves files of known size: all since the last commit. @throws Failure `storage_full` */
  reserveFiles(sinceCommit: Amount): Promise<void>;
  /** Passes the bytes of the file through. Reading throws `storage_full` or `too_large` before bytes beyond the limit. */
  meter(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Turns the reserved bytes into used ones; call it in the transaction that inserts the files. */
  commit(tx: Db, bytes: number, files?: number): Promise<void>;
  /** Records the commit of that transaction. */
  afterCommit(bytes: number, files?: number): void;
  /** Releases the rest. */
  release(): Promise<void>;
}

interface FileOwner {
  readonly projectId: string;
  /** If already known. */
  readonly bucketId?: string;
  /** The job whose outputs the files are: they count as reserved until it ends. */
  readonly jobId?: string;
}

const firstStep: Amount = { bytes: 1024 * 1024, objects: 1 };
const maxStep: Amount = { bytes: 64 * 1024 * 1024, objects: 256 };

/** Bounds of the size of all files together, in bytes. */
interface ExpectedBytes {
  readonly minBytes: number;
  readonly maxBytes: number;
}

const unknown: ExpectedBytes = { minBytes: 0, maxBytes: 0 };

/** Opens a reservation. @throws Failure `storage_full` if not even `minBytes` fit the quota */
export async function reserveQuota(
  context: Context,
  place: FileOwner,
  { minBytes, maxBytes }: ExpectedBytes = unknown,
): Promise<QuotaReservation> {
  const limits = await findLimits(context.db, place.projectId, context.settings);
  const isLimited = limits?.bytes !== undefined || limits?.objects !== undefined;
  if (!isLimited) return unlimitedReservation(context);
  const { projectId, bucketId, jobId } = place;
  const account = { id: newId(context.now()), projectId, ...(bucketId !== undefined && { bucketId }) };
  const need = { bytes: minBytes, objects: 0 };
  const set = await reserve(context, account, { need, want: { bytes: maxBytes, objects: 0 } });
  const timer = setInterval(() => {
    renewReservation(context, account.id).catch(() => {}); // the next renewal succeeds, or the reservation expires
  }, renewEveryMs).unref();
  return reservationOf(context, account, {
    set,
    ...(jobId !== undefined && { jobId }),
    async end() {
      clearInterval(timer);
      await endReservation(context.db, account.id);
    },
  });
}

/** Continues the reservation of a resumable upload that has received `arrived` bytes. */
export function reservationOfUpload(
  context: Context,
  account: Account,
  set: Amount,
  arrived: number,
): QuotaReservation {
  return reservationOf(context, account, { set, arrived, end: async () => {} });
}

function unlimitedReservation({ settings: { maxFileBytes } }: Context): QuotaReservation {
  return {
    async reserveFile() {},
    async reserveFiles() {},
    meter: (body) =>
      maxFileBytes === undefined ? body : metered(body, 0, (bytes) => requireFileSize(bytes, maxFileBytes)),
    async commit() {},
    afterCommit() {},
    async release() {},
  };
}

interface ReservationStart {
  readonly set: Amount;
  readonly arrived?: number;
  readonly jobId?: string;
  readonly end: () => Promise<void>;
}

function reservationOf(
  context: Context,
  account: Account,
  { set, arrived = 0, jobId, end }: ReservationStart,
): QuotaReservation {
  const { maxFileBytes } = context.settings;
  let { bytes, objects } = set;
  let step = firstStep;
  const more = async (need: Amount) => {
    const want = {
      bytes: need.bytes && Math.max(need.bytes, step.bytes),
      objects: need.objects && Math.max(need.objects, step.objects),
    };
    const got = await reserve(context, account, { need, want, have: { bytes, objects } });
    step = {
      bytes: Math.min(step.bytes * 2, maxStep.bytes),
      objects: Math.min(step.objects * 2, maxStep.objects),
    };
    bytes += got.bytes;
    objects += got.objects;
  };
  return {
    async reserveFile() {
      if (objects < 1) await more({ bytes: 0, objects: 1 });
    },
    async reserveFiles(all) {
      if (all.bytes <= bytes && all.objects <= objects) return;
      await more({
        bytes: Math.max(0, all.bytes - bytes),
        objects: Math.max(0, all.objects - objects),
      });
    },
    meter: (body) =>
      metered(body, arrived, (soFar) => {
        requireFileSize(soFar, maxFileBytes);
        return soFar > bytes ? more({ bytes: soFar - bytes, objects: 0 }) : undefined;
      }),
    async commit(tx, size, files = 1) {
      await releasePart(tx, account.id, { bytes: Math.min(size, bytes), objects: files });
      if (jobId === undefined) return;
      await holdForJob(tx, { projectId: account.projectId, jobId }, { bytes: size, objects: files });
    },
    afterCommit(size, files = 1) {
      bytes -= Math.min(size, bytes);
      objects -= files;
    },
    release: end,
  };
}

/** Calls `check` with the number of bytes so far, before each chunk is passed on. */
function metered(
  body: AsyncIterable<Uint8Array>,
  arrived: number,
  check: (soFar: number) => Promise<void> | undefined | void,
): AsyncIterable<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  let soFar = arrived;
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const step = await chunks.next();
    if (step.done) return step;
    soFar += step.value.byteLength;
    const pending = check(soFar);
    if (pending) await pending;
    return step;
  };
  const stop = async (): Promise<IteratorResult<Uint8Array>> => {
    await chunks.return?.();
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) };
}
