const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Text with its references resolved: to characters by number, and the five that XML itself names. Others would
 * come from a DOCTYPE, which is refused.
 * @param keepsUnknown leaves other references as they are
 * @returns the first reference that is none of these as `unknown`
 */
export function decodeEntities(text: string, keepsUnknown = false): { text: string } | { unknown: string } {
  let unknown: string | undefined;
  const decoded = text.replaceAll(/&([^&;\s]{0,32};)?/g, (reference, body: string | undefined) => {
    const character = body === undefined ? undefined : characterOf(body.slice(0, -1));
    if (character === undefined && !keepsUnknown) unknown ??= reference;
    return character ?? reference;
  });
  return unknown === undefined ? { text: decoded } : { unknown };
}

function characterOf(reference: string): string | undefined {
  if (reference[0] !== '#') return Object.hasOwn(named, reference) ? named[reference] : undefined;
  const hex = /^#x([0-9a-f]{1,8})$/i.exec(reference)?.[1];
  const decimal = /^#(\d{1,9})$/.exec(reference)?.[1];
  const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal);
  // XML 1.0, production [2]: no control characters, surrogates, or non-characters.
  const allowed =
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return allowed ? String.fromCodePoint(code) : undefined;
}
