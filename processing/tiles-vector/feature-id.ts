/** A feature id that fits into tiles, and the text of an id that does not. */
export interface TileId {
  readonly number: number;
  readonly text: string | undefined;
}

/** Keeps integers from 0 to 2^53 - 1, also as text. Any other id becomes a 53-bit hash, and its text an attribute. */
export function tileIdFor(id: unknown): TileId | undefined {
  if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) return { number: id, text: undefined };
  if (typeof id === 'number') return { number: hash53(String(id)), text: String(id) };
  if (typeof id !== 'string' || id === '') return undefined;
  if (/^(?:0|[1-9]\d{0,15})$/.test(id) && Number.isSafeInteger(Number(id))) {
    return { number: Number(id), text: undefined };
  }
  return { number: hash53(id), text: id };
}

/** Combines two FNV-1a hashes with different seeds over UTF-16 units to 53 bits. */
function hash53(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  low = Math.imul(low ^ (low >>> 15), 0x2c1b3c6d) ^ (high >>> 13);
  high = Math.imul(high ^ (high >>> 16), 0x297a2d39) ^ (low >>> 12);
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}
