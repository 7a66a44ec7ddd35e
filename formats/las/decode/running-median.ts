/** Words of a median in an array. */
export const medianWords = 6;
/** Of the median itself. */
export const medianOffset = 2;

/**
 * LASzip's streaming median of five values, which stand sorted at `at`; the sixth word says whether the next value takes the
 * place of the lowest rather than the highest one.
 */
export function addToMedian(words: Int32Array, at: number, value: number): void {
  if (words[at + 5] === 0) {
    if (value < words[at + 2]!) {
      words[at + 4] = words[at + 3]!;
      words[at + 3] = words[at + 2]!;
      if (value < words[at]!) {
        words[at + 2] = words[at + 1]!;
        words[at + 1] = words[at]!;
        words[at] = value;
      } else if (value < words[at + 1]!) {
        words[at + 2] = words[at + 1]!;
        words[at + 1] = value;
      } else words[at + 2] = value;
      return;
    }
    if (value < words[at + 3]!) {
      words[at + 4] = words[at + 3]!;
      words[at + 3] = value;
    } else words[at + 4] = value;
    words[at + 5] = 1;
    return;
  }
  if (words[at + 2]! < value) {
    words[at] = words[at + 1]!;
    words[at + 1] = words[at + 2]!;
    if (words[at + 4]! < value) {
      words[at + 2] = words[at + 3]!;
      words[at + 3] = words[at + 4]!;
      words[at + 4] = value;
    } else if (words[at + 3]! < value) {
      words[at + 2] = words[at + 3]!;
      words[at + 3] = value;
    } else words[at + 2] = value;
    return;
  }
  if (words[at + 1]! < value) {
    words[at] = words[at + 1]!;
    words[at + 1] = value;
  } else words[at] = value;
  words[at + 5] = 0;
}
