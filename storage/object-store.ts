import type { Readable } from 'node:stream';
import type { Drafts } from './drafts.ts';
import type { ObjectHead, StoredObject } from './stored-object.ts';

/**
 * Blobs under ids that the server generates. Every backend passes `conformance.ts`.
 *
 * Every method throws `StorageFailure`: `invalid_id` for a malformed id, `unavailable` if the backend cannot be
 * reached or sends an invalid response. Missing objects are `undefined`.
 */
export interface ObjectStore {
  /**
   * Stores the body and resolves once it would survive a power cut. The object is invisible until it is complete;
   * after an error or abort nothing is left and a former object stays.
   *
   * Chunks must not be modified after the body has yielded them. If the put fails, the body is ended early
   * (`return()`, which destroys a Readable); its own errors and the reason of the signal are passed through. Failures:
   * `full`, and `exists` with `ifNoneMatch`.
   */
  put(id: string, body: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredObject>;
  /**
   * Stores small objects under new ids, several at a time, and resolves once all of them would survive a power cut.
   * Asks for the next ones as it has room. If it fails, some of them may be left, even incomplete: the caller refers to
   * none. Failures: `full`, and errors of the iterable.
   */
  putAll(objects: AsyncIterable<NewObject>): Promise<void>;
  head(id: string): Promise<ObjectHead | undefined>;
  /** Reads a small range into one array, which is shorter, or empty, if the range exceeds the object. */
  read(id: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  /**
   * Streams a range on demand. The caller must read it to its end or destroy it. It yields the version it started
   * with, even if the object is replaced or removed meanwhile.
   */
  stream(id: string, range?: ByteRange): Promise<Readable | undefined>;
  /**
   * Opens one version of an object for many reads. If the backend keeps no older versions, reads fail with
   * `unavailable` once the object is replaced or removed; they never return bytes of another version.
   */
  open(id: string): Promise<OpenObject | undefined>;
  /** Removes the object; a missing one is not an error. */
  remove(id: string): Promise<void>;
  /** Lists all objects with the id prefix in no particular order. Concurrent changes may or may not be included. */
  list(prefix?: string): AsyncIterable<ListedObject>;
  /** Copies with the durability of `put`, replacing `to`. The copy gets the current time as `modifiedAt`. */
  copy(from: string, to: string): Promise<ObjectHead | undefined>;
  /** Objects uploaded in chunks. */
  readonly drafts: Drafts;
  /**
   * Absolute path of the object's file, complete and immutable, to link to it instead of copying. Only for backends
   * whose objects are files of this machine; the file need not exist.
   */
  localPath?(id: string): string;
}

export interface OpenObject extends ObjectHead {
  /** Like `ObjectStore.read`, on the opened version. Concurrent reads are allowed. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Closes the object once no read is in progress; later reads throw. Closing twice is not an error. */
  close(): Promise<void>;
}

export interface PutOptions {
  /** Fail with `exists` rather than replace an object; exactly one of several concurrent puts succeeds. */
  ifNoneMatch?: boolean;
  signal?: AbortSignal | undefined;
}

export interface NewObject {
  readonly id: string;
  readonly bytes: Uint8Array;
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

/** A failure with a code that callers can handle; the cause is for the log. */
export class StorageFailure extends Error {
  readonly code: StorageFailureCode;

  constructor(code: StorageFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageFailure';
    this.code = code;
  }
}

// Lower case only, so that ids stay distinct on case-insensitive file systems.
const ID = /^[0-9a-z]{10,64}$/;
const ID_PREFIX = /^[0-9a-z]{0,64}$/;

export function isObjectId(id: string): boolean {
  return ID.test(id);
}

/** Throws `invalid_id`. Backends call it first, as the last check before an id becomes part of a path. */
export function requireObjectId(id: string): void {
  if (!ID.test(id)) throw new StorageFailure('invalid_id', 'not an object id: 10 to 64 of 0-9 and a-z are');
}

/** Throws `invalid_id`. */
export function requireIdPrefix(prefix: string): void {
  if (!ID_PREFIX.test(prefix)) throw new StorageFailure('invalid_id', 'not the start of an object id');
}

/** Throws a RangeError, as an invalid range is a programming error. */
export function requireRange(range: ByteRange | undefined): void {
  const { offset = 0, length = 0 } = range ?? {};
  if (Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0) return;
  throw new RangeError(`not a byte range: offset ${offset}, length ${length}`);
}
