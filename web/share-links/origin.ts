/** Origins that the service accepts: a scheme, a host that may begin with `*.`, an optional port; or `*`. */
const pattern = /^(?:\*|https?:\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?)$/;

/** The origin in a typed or pasted text; undefined if it contains none. */
export function originFrom(text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  if (pattern.test(typed)) return typed;
  const withScheme = /^https?:\/\//.test(typed) ? typed : `https://${typed}`;
  const start = /^https?:\/\/[^/?#]+/.exec(withScheme)?.[0] ?? '';
  return start.includes('.') && pattern.test(start) ? start : undefined;
}
