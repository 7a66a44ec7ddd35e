/** Longer names are nobody's misspelling. */
const maxLength = 40;

/**
 * The name that a text probably means: the one from which it differs by one letter too many, too few, wrong or swapped,
 * or by two in a long text, whatever the case. undefined if there is none, or for a text that is a name.
 */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  if (text.length > maxLength || text.length < 3) return undefined;
  const typed = text.toLowerCase();
  let nearest: string | undefined;
  let minDistance = typed.length >= 8 ? 3 : 2;
  for (const name of names) {
    if (name === text) return undefined;
    if (Math.abs(name.length - text.length) >= minDistance) continue;
    const distance = editDistance(typed, name.toLowerCase());
    if (distance < minDistance) [nearest, minDistance] = [name, distance];
  }
  return nearest;
}

/** Restricted Damerau–Levenshtein distance: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length]!;
}
