import { randomInt } from 'node:crypto';
import { ZipError } from './zip-error.ts';

/**
 * Maps names to the offsets of records that may be theirs, in 12 to 24 bytes per name and without an object for each.
 */
export interface NameTable {
  /** Size of the table in bytes. */
  readonly memory: number;
  /**
   * @returns the offset of an earlier record whose name may be the same @throws ZipError for names chosen to collide
   */
  add(name: string, offset: number): number | undefined;
  candidates(name: string): number[];
  /** The table as plain arrays, of which `nameTableOf` makes it again, in another process too. */
  readonly parts: NameTableParts;
}

export interface NameTableParts {
  /** Of the hashes. */
  readonly seed: number;
  /** Each plus one, as 0 marks a free slot. Their number is a power of two. */
  readonly offsets: Uint32Array;
  readonly tags: Uint32Array;
}

const maxProbes = 8192;

/** Creates a table for at most `count` names, with offsets below 2^32 - 1. */
export function createNameTable(count: number): NameTable {
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(4, count * 1.5)));
  return nameTableOf({
    seed: randomInt(2 ** 32), // so that names cannot be chosen to collide
    offsets: new Uint32Array(capacity),
    tags: new Uint32Array(capacity),
  });
}

export function nameTableOf(parts: NameTableParts): NameTable {
  const { seed, offsets, tags } = parts;
  const mask = offsets.length - 1;
  return {
    memory: offsets.length * 8,
    parts,
    add(name, offset) {
      const tag = hashOf(name, ~seed);
      let same: number | undefined;
      let slot = hashOf(name, seed) & mask;
      for (let probe = 0; offsets[slot] !== 0; probe++) {
        if (probe > maxProbes) throw new ZipError('refused', 'its names are made to slow down reading');
        if (tags[slot] === tag) same ??= offsets[slot]! - 1;
        slot = (slot + 1) & mask;
      }
      offsets[slot] = offset + 1;
      tags[slot] = tag;
      return same;
    },
    candidates(name) {
      const tag = hashOf(name, ~seed);
      const candidates: number[] = [];
      for (let slot = hashOf(name, seed) & mask; offsets[slot] !== 0; slot = (slot + 1) & mask) {
        if (tags[slot] === tag) candidates.push(offsets[slot]! - 1);
      }
      return candidates;
    },
  };
}

/** FNV-1a over code units, finished with the mixer of MurmurHash3. */
function hashOf(name: string, start: number): number {
  let hash = start | 0;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
