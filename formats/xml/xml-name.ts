/** A name as it stands in tags; the same object for the same bytes, so that readers may keep notes by it. */
export interface XmlName {
  /** `gml:pos` */
  readonly qualified: string;
  /** `gml`; empty without one. */
  readonly prefix: string;
  /** `pos` */
  readonly local: string;
  readonly bytes: Uint8Array;
  /** Its place in the order in which names were met, from 0. */
  readonly number: number;
  /** The element that followed this one last time. */
  next: XmlName | undefined;
  /** Its namespace in a scope, for that scope. */
  namespace: string | undefined;
  scope: number;
}

export interface XmlNames {
  /** @param hash of the bytes, by hashByte */
  find(bytes: Buffer, start: number, end: number, hash: number): XmlName;
}

/** Limits files that consist of names only; real schemas have far fewer. */
const maxNames = 1 << 14;
const buckets = 1 << 10;

export const hashByte = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

/** Spares the decoding of names, which are few and stand in every tag. */
export function createXmlNames(): XmlNames {
  let table: XmlName[][] = [];
  let count = 0;
  let number = 0;
  return {
    find(bytes, start, end, hash) {
      const slot = (hash ^ (hash >>> 15)) & (buckets - 1);
      const bucket = (table[slot] ??= []);
      for (let i = 0; i < bucket.length; i++) {
        const name = bucket[i]!;
        if (name.bytes.length === end - start && isName(name, bytes, start)) return name;
      }
      if (count++ >= maxNames) {
        table = [];
        count = 0;
      }
      const qualified = bytes.toString('utf8', start, end);
      const colon = qualified.indexOf(':');
      const name: XmlName = {
        qualified,
        prefix: colon < 0 ? '' : qualified.slice(0, colon),
        local: qualified.slice(colon + 1),
        bytes: Uint8Array.prototype.slice.call(bytes, start, end),
        number: number++,
        next: undefined,
        namespace: undefined,
        scope: -1,
      };
      bucket.push(name);
      return name;
    },
  };
}

/** Tests whether the bytes from `start` begin with the name. */
export function isName(name: XmlName, bytes: Uint8Array, start: number): boolean {
  const own = name.bytes;
  let i = 0;
  while (i < own.length && own[i] === bytes[start + i]) i++;
  return i === own.length;
}
