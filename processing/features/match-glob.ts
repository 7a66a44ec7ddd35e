/**
 * Whether a name fits a pattern in which `*` stands for any characters and `?` for one. No regular expression: time is
 * at most pattern × name, whatever the pattern.
 */
export function matchGlob(pattern: string, name: string): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let afterStar = 0;
  while (next < name.length) {
    const wanted = pattern[at];
    if (wanted === '*') {
      star = at++;
      afterStar = next;
    } else if (wanted !== undefined && (wanted === '?' || wanted === name[next])) {
      at++;
      next++;
    } else if (star >= 0) {
      // The last star takes one character more; earlier ones need not be tried again.
      at = star + 1;
      next = ++afterStar;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
