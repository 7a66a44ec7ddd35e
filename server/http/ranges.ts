/** A byte range; both ends are inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Requests with more ranges are rejected, as each costs a read and a header. */
export const maxRanges = 32;

/**
 * The ranges of a `Range` header (RFC 9110, 14.2), adjacent ones merged. undefined: send everything, as for other
 * units
 * and invalid ranges; `unsatisfiable`: none of the bytes exist, or there are too many ranges.
 */
export function rangesOf(
  header: string | undefined,
  size: number,
): ByteRange[] | 'unsatisfiable' | undefined {
  if (header === undefined) return undefined;
  const list = /^bytes=(.*)$/is.exec(header.trim())?.[1];
  if (list === undefined) return undefined;
  const texts = list.includes(',') ? list.split(',').filter((text) => text.trim() !== '') : [list];
  const spans: ByteRange[] = [];
  for (const text of texts) {
    const span = spanOf(text.trim(), size);
    if (span === undefined) return undefined;
    if (span !== 'unsatisfiable') spans.push(span);
  }
  if (texts.length === 0) return undefined;
  if (spans.length === 0 || texts.length > maxRanges) return 'unsatisfiable';
  return spans.length === 1 ? spans : mergeAdjacent(spans);
}

function spanOf(text: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/.exec(text);
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

/** Keeps the requested order unless ranges overlap or touch, so that no byte is sent twice. */
function mergeAdjacent(spans: readonly ByteRange[]): ByteRange[] {
  const sorted: ByteRange[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = sorted.at(-1);
    if (last && start <= last.end + 1)
      sorted[sorted.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else sorted.push({ start, end });
  }
  return sorted.length === spans.length ? [...spans] : sorted;
}

/** Whether `If-None-Match` contains the ETag, by weak comparison (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag || header.trim() === '*') return true;
  return header.split(',').some((name) => name.trim().replace(/^W\//, '') === etag);
}

/** Whether a range may be sent: if `If-Range` names another version, the whole content is. */
export function matchesIfRange(header: string | undefined, etag: string, modified: Date): boolean {
  if (header === undefined || header === etag) return true;
  if (header.startsWith('"') || header.startsWith('W/')) return false;
  return Math.floor(modified.getTime() / 1000) * 1000 === Date.parse(header);
}
