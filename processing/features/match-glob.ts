/**
 * Whether a name matches a pattern in which `*` stands for any characters and `?` for one. A regular expression could
 * take exponential time; this takes at most pattern × name steps.
 */
export function matchGlob(pattern: string, name: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let afterStar = 0;
  while (next < name.length) {
    const expected = pattern[at];
    if (expected === '*') {
      star = at++;
      afterStar = next;
    } else if (expected !== undefined && (expected === '?' || expected === name[next])) {
      at++;
      next++;
    } else if (star >= 0) {
      // Only the last star takes one more character; earlier ones need no backtracking.
      at = star + 1;
      next = ++afterStar;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
