import type { Readable } from 'node:stream';
import type { Drafts } from './drafts.ts';
import type { ObjectHead, StoredObject } from './stored-object.ts';

/**
 * Where bytes live: immutable-looking blobs under ids the server makes itself. One small port;
 * every backend passes `conformance.ts`.
 *
 * Every method throws `StorageFailure`: `invalid_id` for an id that is none, `unavailable` when the
 * backend cannot be reached or answers nonsense. An object that is not there is `undefined`.
 */
export interface ObjectStore {
  /**
   * Stores what the body yields and resolves only when it would survive a power cut. Nobody sees the
   * object before it is complete; after any error or abort nothing is left and what was there stays.
   *
   * The body's chunks belong to the store once yielded: they must not be written to again. The body is
   * ended early (`return()`, which destroys a Readable) when the put fails; its own errors, and the
   * signal's reason, come through unchanged. Failures: `full`, and `exists` with `ifNoneMatch`.
   */
  put(id: string, body: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredObject>;
  head(id: string): Promise<ObjectHead | undefined>;
  /** The bytes of a range as one array; fewer, or none, where the range passes the end. For small ranges. */
  read(id: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  /**
   * The bytes of a range, read no faster than they are taken. Whoever asks for it reads it to its end or destroys it.
   * What it yields stays the version it started with, also when the id is put anew or removed meanwhile.
   */
  stream(id: string, range?: ByteRange): Promise<Readable | undefined>;
  /**
   * One version of an object for many reads, for as long as it is open. Where the backend keeps no other version, reads
   * fail with `unavailable` once the object was replaced or removed; they never give bytes of another.
   */
  open(id: string): Promise<OpenObject | undefined>;
  /** Removes the object; one that is not there is no error. */
  remove(id: string): Promise<void>;
  /** Every object whose id starts with the prefix, in no order. Changes made meanwhile may or may not show. */
  list(prefix?: string): AsyncIterable<ListedObject>;
  /** As durable as `put`, over whatever `to` held. `modifiedAt` of the copy is now. */
  copy(from: string, to: string): Promise<ObjectHead | undefined>;
  /** Objects that arrive in pieces. */
  readonly drafts: Drafts;
  /**
   * The absolute path of the file that is, or would be, this object: complete, never written to, not to be changed.
   * Only where objects are files of this machine. For whoever wants to link to it instead of copying.
   */
  localPath?(id: string): string;
}

export interface OpenObject extends ObjectHead {
  /** Like `ObjectStore.read`, on the version that was opened. Reads may run side by side. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Ends the use of it, once no read is under way; later reads throw. Closing twice is no error. */
  close(): Promise<void>;
}

export interface PutOptions {
  /** Fail with `exists` rather than replace an object; of several puts at once exactly one wins. */
  ifNoneMatch?: boolean;
  signal?: AbortSignal | undefined;
}

/** In bytes. Without a length, to the end. */
export interface ByteRange {
  offset: number;
  length?: number;
}

export interface ListedObject extends ObjectHead {
  id: string;
}

export type StorageFailureCode = 'full' | 'exists' | 'conflict' | 'unavailable' | 'invalid_id';

/** What a caller may act on; the cause is for the log. */
export class StorageFailure extends Error {
  readonly code: StorageFailureCode;

  constructor(code: StorageFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageFailure';
    this.code = code;
  }
}

// Lower case only: two ids must stay two files on a file system that ignores case.
const ID = /^[0-9a-z]{10,64}$/;
const ID_PREFIX = /^[0-9a-z]{0,64}$/;

export function isObjectId(id: string): boolean {
  return ID.test(id);
}

/** Throws `invalid_id`. The last guard between data and a path: backends call it before anything else. */
export function requireObjectId(id: string): void {
  if (!ID.test(id)) throw new StorageFailure('invalid_id', 'not an object id: 10 to 64 of 0-9 and a-z are');
}

/** Throws `invalid_id`. */
export function requireIdPrefix(prefix: string): void {
  if (!ID_PREFIX.test(prefix)) throw new StorageFailure('invalid_id', 'not the start of an object id');
}

/** Throws a RangeError: what asks for no range is a mistake of ours, not of the backend. */
export function requireRange(range: ByteRange | undefined): void {
  const { offset = 0, length = 0 } = range ?? {};
  if (Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0) return;
  throw new RangeError(`not a byte range: offset ${offset}, length ${length}`);
}
