import type { StoredObject } from './object-store.ts';

/**
 * Objects that arrive in pieces, over hours, restarts and replicas. A draft is no object: nobody reads or lists it before
 * `finish`. One writer at a time for each draft is the caller's duty. Ids are those of objects.
 *
 * Every method throws `StorageFailure` as `ObjectStore` does.
 */
export interface Drafts {
  /** Begins an empty draft; one that exists is begun anew. */
  begin(id: string): Promise<void>;
  /** How many bytes are durable, which is where the next piece goes on; undefined: there is no such draft. */
  offset(id: string): Promise<number | undefined>;
  /**
   * Appends a piece and resolves with the offset after it, when that would survive a power cut. When the body breaks off
   * or the signal aborts, what has arrived is kept, as far as `offset` then says, and the error comes through. Fails with
   * `conflict` where the offset is not that of the draft.
   */
  append(
    id: string,
    offset: number,
    body: AsyncIterable<Uint8Array>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<number>;
  /**
   * Turns the draft into an object, as durable as `put` makes one. A second call finds the object and says the same. Fails
   * with `conflict` where there is neither.
   */
  finish(id: string): Promise<StoredObject>;
  /** Drops the draft and its bytes; one that is not there is no error. */
  drop(id: string): Promise<void>;
  /** Every draft, in no order, with when it last grew. */
  list(): AsyncIterable<{ readonly id: string; readonly modifiedAt: Date }>;
}
