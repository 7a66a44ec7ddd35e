import { writeBytes, writeVarint, type ByteWriter } from './byte-writer.ts';

/** The distinct attribute values of one layer of one tile. */
export interface ValueTable {
  /** The Layer.values fields written so far. */
  readonly fields: ByteWriter;
  /**
   * The index of a value, which is added if it is new.
   * @param hash of `bytes` from `start` to `end`: the value's length-prefixed message
   */
  placeOf(hash: number, bytes: Uint8Array, start: number, end: number): number;
  clear(): void;
}

const valuesField = 0x22;

/** Open addressing; slots of earlier tiles count as free, so that clearing costs nothing. */
export function createValueTable(fields: ByteWriter): ValueTable {
  let mask = 255;
  let tiles = new Int32Array(mask + 1);
  let hashes = new Int32Array(mask + 1);
  let places = new Int32Array(mask + 1);
  let offsets = new Int32Array(mask + 1);
  let tile = 1;
  let count = 0;

  const grow = (): void => {
    const old = { tiles, hashes, places, offsets };
    mask = mask * 2 + 1;
    tiles = new Int32Array(mask + 1);
    hashes = new Int32Array(mask + 1);
    places = new Int32Array(mask + 1);
    offsets = new Int32Array(mask + 1);
    for (let i = 0; i < old.tiles.length; i++) {
      if (old.tiles[i] !== tile) continue;
      let slot = old.hashes[i]! & mask;
      while (tiles[slot] === tile) slot = (slot + 1) & mask;
      tiles[slot] = tile;
      hashes[slot] = old.hashes[i]!;
      places[slot] = old.places[i]!;
      offsets[slot] = old.offsets[i]!;
    }
  };

  return {
    fields,
    placeOf(hash, bytes, start, end) {
      let slot = hash & mask;
      while (tiles[slot] === tile) {
        if (hashes[slot] === hash && isAt(fields.bytes, offsets[slot]!, bytes, start, end))
          return places[slot]!;
        slot = (slot + 1) & mask;
      }
      tiles[slot] = tile;
      hashes[slot] = hash;
      places[slot] = count;
      writeVarint(fields, valuesField);
      offsets[slot] = fields.length;
      writeBytes(fields, bytes, start, end);
      count++;
      if (count * 2 > mask) grow();
      return count - 1;
    },
    clear() {
      fields.length = 0;
      count = 0;
      tile++;
    },
  };
}

/** Values start with their length, so two that agree up to here are equal. */
function isAt(known: Uint8Array, offset: number, bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start, j = offset; i < end; i++, j++) if (known[j] !== bytes[i]) return false;
  return true;
}
