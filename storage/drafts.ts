import type { StoredObject } from './stored-object.ts';

/**
 * Objects that arrive in chunks, over hours, restarts and replicas. A draft is not an object: it is neither readable
 * nor listed before `finish`. The caller guarantees one writer at a time per draft. Ids are those of objects.
 *
 * Every method throws `StorageFailure` as `ObjectStore` does.
 */
export interface Drafts {
  /** Creates an empty draft, replacing an existing one. */
  begin(id: string): Promise<void>;
  /** Number of durable bytes, where the next chunk continues; undefined: the draft does not exist. */
  offset(id: string): Promise<number | undefined>;
  /**
   * Appends a chunk and resolves with the new offset once it would survive a power cut. When the body breaks off or
   * the signal aborts, received bytes are kept as far as `offset` says, and the error is rethrown. Fails with
   * `conflict` if the offset is not that of the draft.
   */
  append(
    id: string,
    offset: number,
    body: AsyncIterable<Uint8Array>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<number>;
  /**
   * Turns the draft into an object, as durable as `put` makes one. A second call finds the object and returns the
   * same. Fails with `conflict` if neither exists.
   */
  finish(id: string): Promise<StoredObject>;
  /** Removes the draft and its bytes; a missing one is not an error. */
  drop(id: string): Promise<void>;
  /** Lists all drafts in no order, with the time they last grew. */
  list(): AsyncIterable<{ readonly id: string; readonly modifiedAt: Date }>;
}
