/**
 * One growing stretch of memory seen as 32-bit integers, floats and bytes. Growing replaces the views: read
 * them from the object anew after every call that may append.
 */
export interface Words {
  words: Int32Array;
  floats: Float32Array;
  bytes: Uint8Array;
  /** In words: how much is in use; whoever appends moves it, whoever releases moves it back. */
  length: number;
}

/** Memory that was never written is not taken from the machine, so a large capacity costs nothing. */
export function createWords(capacity: number): Words {
  const words = new Int32Array(capacity);
  return { words, floats: new Float32Array(words.buffer), bytes: new Uint8Array(words.buffer), length: 0 };
}

/** Makes room for `count` more words. */
export function reserveWords(store: Words, count: number): void {
  const needed = store.length + count;
  if (needed <= store.words.length) return;
  const words = new Int32Array(Math.max(needed, Math.ceil(store.words.length * 1.5)));
  words.set(store.words.subarray(0, store.length));
  store.words = words;
  store.floats = new Float32Array(words.buffer);
  store.bytes = new Uint8Array(words.buffer);
}
