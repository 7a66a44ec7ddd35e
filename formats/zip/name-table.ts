import { randomInt } from 'node:crypto';
import { ZipError } from './zip-error.ts';

/** From a name to the places that may be its record: 12 to 24 bytes for each of millions, no object. */
export interface NameTable {
  /** In bytes. */
  readonly memory: number;
  /** Returns the place of a record whose name may be the same. @throws ZipError for names that are made to collide */
  add(name: string, place: number): number | undefined;
  candidates(name: string): number[];
}

const longestProbe = 8192;
/** Nobody can foretell it, so that nobody can make many names meet in one place. */
const seed = randomInt(2 ** 32);

/** For at most `count` names, with places below 2^32 - 1. */
export function createNameTable(count: number): NameTable {
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(4, count * 1.5)));
  const mask = capacity - 1;
  const places = new Uint32Array(capacity); // plus one, 0 is free
  const tags = new Uint32Array(capacity);

  return {
    memory: capacity * 8,
    add(name, place) {
      const tag = hashOf(name, ~seed);
      let same: number | undefined;
      let slot = hashOf(name, seed) & mask;
      for (let probe = 0; places[slot] !== 0; probe++) {
        if (probe > longestProbe) throw new ZipError('its names are made to slow down whoever reads them');
        if (tags[slot] === tag) same ??= places[slot]! - 1;
        slot = (slot + 1) & mask;
      }
      places[slot] = place + 1;
      tags[slot] = tag;
      return same;
    },
    candidates(name) {
      const tag = hashOf(name, ~seed);
      const found: number[] = [];
      for (let slot = hashOf(name, seed) & mask; places[slot] !== 0; slot = (slot + 1) & mask) {
        if (tags[slot] === tag) found.push(places[slot]! - 1);
      }
      return found;
    },
  };
}

/** FNV-1a over code units, with the last mixing of MurmurHash3. */
function hashOf(name: string, start: number): number {
  let hash = start | 0;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
