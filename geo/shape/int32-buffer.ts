/**
 * A growing buffer with views as 32-bit integers, floats and bytes. Growing replaces the views: read them from the
 * object again after every call that may append.
 */
export interface Int32Buffer {
  words: Int32Array;
  floats: Float32Array;
  bytes: Uint8Array;
  /** Used length in words; changed by appending and releasing. */
  length: number;
}

/** Memory never written to is not committed, so a large capacity is cheap. */
export function createInt32Buffer(capacity: number): Int32Buffer {
  const words = new Int32Array(capacity);
  return { words, floats: new Float32Array(words.buffer), bytes: new Uint8Array(words.buffer), length: 0 };
}

/** Makes room for `count` more words. */
export function reserveSpace(store: Int32Buffer, count: number): void {
  const needed = store.length + count;
  if (needed <= store.words.length) return;
  const words = new Int32Array(Math.max(needed, Math.ceil(store.words.length * 1.5)));
  words.set(store.words.subarray(0, store.length));
  store.words = words;
  store.floats = new Float32Array(words.buffer);
  store.bytes = new Uint8Array(words.buffer);
}
