/** As the service takes them: a scheme, a host that may begin with `*.`, perhaps a port; or `*`. */
const pattern = /^(?:\*|https?:\/\/(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?)$/;

/** The origin that somebody means by what they typed or pasted; undefined where there is none in it. */
export function originFrom(text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  if (pattern.test(typed)) return typed;
  const withScheme = /^https?:\/\//.test(typed) ? typed : `https://${typed}`;
  const start = /^https?:\/\/[^/?#]+/.exec(withScheme)?.[0] ?? '';
  return start.includes('.') && pattern.test(start) ? start : undefined;
}
