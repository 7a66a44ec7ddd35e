/** Arrays that are used again, by their names: valid until asked for again, and not empty. */
export type ScratchWords = (name: string, length: number) => Uint32Array<ArrayBuffer>;

/** New arrays for each part of a tree would keep the garbage collector busy. */
export function createScratchWords(): ScratchWords {
  const kept = new Map<string, Uint32Array<ArrayBuffer>>();
  return (name, length) => {
    let words = kept.get(name);
    if (words === undefined || words.length < length) kept.set(name, (words = new Uint32Array(length)));
    return words.subarray(0, length);
  };
}
