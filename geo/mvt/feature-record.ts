/**
 * A feature as it waits to be cut into tiles, in words:
 *   0     words in all
 *   1     type | 4 if it has an id | 8 × layer
 *   2, 3  the id, low and high 32 bits
 *   4     attributes
 *   5     bytes of attribute values
 *   6     the first zoom that may show it | 256 × the last
 *   then  per attribute its key, and the hash of its value (see attributes.ts)
 *   then  the values one after the other, each with its length before it, padded to words
 *   then  the shape (see shape.ts)
 * It refers only to the list of keys, so records can be stored in files and created in any thread.
 */
export const recordHeaderWords = 7;

/** Byte offset of the first value. */
export function valuesAt(words: Int32Array, record: number): number {
  return (record + recordHeaderWords + words[record + 4]! * 2) * 4;
}

export function shapeOf(words: Int32Array, record: number): number {
  return record + recordHeaderWords + words[record + 4]! * 2 + ((words[record + 5]! + 3) >> 2);
}

export interface FeatureList {
  /** Pairs: the offset of the record, and that of its shape as clipped for this place. */
  pairs: Int32Array;
  length: number;
}

export function createFeatureList(capacity: number): FeatureList {
  return { pairs: new Int32Array(capacity * 2), length: 0 };
}

export function pushFeature(list: FeatureList, record: number, shape: number): void {
  if (list.length * 2 === list.pairs.length) {
    const pairs = new Int32Array(Math.max(64, list.length * 4));
    pairs.set(list.pairs);
    list.pairs = pairs;
  }
  list.pairs[list.length * 2] = record;
  list.pairs[list.length * 2 + 1] = shape;
  list.length++;
}
