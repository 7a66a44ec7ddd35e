import { hashByte } from './xml-name.ts';

export interface KnownTexts {
  /** The text of bytes that are known; of others, what `decode` makes of them. */
  find(bytes: Uint8Array, start: number, end: number): string;
}

const replacement = '\ufffd';
const maxBytes = 48;
const slots = 1 << 12;

/** Spares the decoding of short texts that repeat themselves: codes, dates, units. Each new one takes the place of another. */
export function createKnownTexts(decode: (start: number, end: number) => string): KnownTexts {
  const texts = Array.from({ length: slots }, () => '');
  const lengths = new Uint8Array(slots);
  const kept = new Uint8Array(slots * maxBytes);
  return {
    find(bytes, start, end) {
      const length = end - start;
      if (length > maxBytes || length === 0) return decode(start, end);
      let hash = length;
      for (let at = start; at < end; at++) hash = hashByte(hash, bytes[at]!);
      const slot = (hash ^ (hash >>> 13)) & (slots - 1);
      const from = slot * maxBytes;
      if (lengths[slot] === length) {
        let same = 0;
        while (same < length && kept[from + same] === bytes[start + same]) same++;
        if (same === length) return texts[slot]!;
      }
      const text = decode(start, end);
      if (text.includes(replacement)) return text; // bytes that are not UTF-8 are recorded each time
      texts[slot] = text;
      lengths[slot] = length;
      for (let i = 0; i < length; i++) kept[from + i] = bytes[start + i]!;
      return text;
    },
  };
}
