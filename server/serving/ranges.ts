/** The bytes of an answer, both ends included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The one range that a `Range` header asks for (RFC 9110, 14.2). undefined: answer with everything, as for several
 * ranges, other units and what is no range; `unsatisfiable`: none of its bytes exist.
 */
export function rangeOf(header: string | undefined, size: number): Span | 'unsatisfiable' | undefined {
  if (header === undefined) return undefined;
  const match = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/.exec(header.trim());
  if (!match) return undefined;
  const [, first, last, suffix] = match;
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === undefined ? size - 1 : Number(last);
  if (last !== undefined && end < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}

/** Does `If-None-Match` name this version? Weak comparison, as RFC 9110, 13.1.2 wants. */
export function isNamed(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((name) => name.trim().replace(/^W\//, '') === etag);
}

/** May a range be sent? Not when `If-Range` names another version: then everything is. */
export function rangeHolds(header: string | undefined, etag: string, modified: Date): boolean {
  if (header === undefined || header === etag) return true;
  if (header.startsWith('"') || header.startsWith('W/')) return false;
  return Math.floor(modified.getTime() / 1000) * 1000 === Date.parse(header);
}
