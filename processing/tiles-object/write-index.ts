import { hash } from 'node:crypto';
import type { Property } from '@platen/formats/gltf/property-table';
import { packMember, type PackedMember } from '@platen/formats/zip/pack-member';
import type { JobInput } from '../job-type.ts';
import type { TilesObjectOptions } from './spec.ts';
import { tilesObjectType } from './type.ts';
import type { PlannedTile } from './tree/plan-tree.ts';

/*
 * `platen/tiles.bin` says what a tileset was made of, so that a later job cuts only leaves that have changed
 * (docs/decisions/0181). All numbers are little-endian:
 *
 * - `PLATENTI`, the version of this format and the length of the JSON, 4 bytes each, and the JSON: job type, options,
 *   sources, and the attributes with their types
 * - each leaf: its cell and its number in it (z, x, y, number, 4 bytes each), its box (west, south, east, north, lowest and
 *   highest as doubles), 16 bytes of a hash of its objects, and their number (4 bytes)
 * - each object of the leaf, in the order of the tile: 6 bytes of a hash of its id, and 6 of one of all that is shown of it
 */
const magic = 'PLATENTI';
const formatVersion = 1;
const leafBytes = 4 * 4 + 6 * 8 + 16 + 4;
const hashBytes = 6;

export interface IndexedTileset {
  readonly root: PlannedTile;
  readonly options: TilesObjectOptions;
  readonly inputs: readonly JobInput[];
  readonly properties: readonly Property[];
}

export function writeIndex({ root, options, inputs, properties }: IndexedTileset): PackedMember {
  const { processing: _, ...deciding } = options;
  const head = Buffer.from(
    JSON.stringify({
      jobType: tilesObjectType.name,
      version: tilesObjectType.version,
      options: deciding,
      sources: inputs.map(({ size, content }) => ({ size, content })),
      properties,
    }),
  );
  const leaves = [...leavesOf(root)];
  const objects = leaves.reduce((sum, { hashes }) => sum + hashes.length, 0);
  const bytes = Buffer.alloc(
    magic.length + 8 + head.length + leaves.length * leafBytes + objects * hashBytes,
  );
  let at = bytes.write(magic, 'latin1');
  at = bytes.writeUInt32LE(formatVersion, at);
  at = bytes.writeUInt32LE(head.length, at);
  at += head.copy(bytes, at);
  for (const { name, region, hashes } of leaves) {
    const [z, x, y, number = 0] = name.split('-').map(Number);
    for (const value of [z!, x!, y!, number]) at = bytes.writeUInt32LE(value, at);
    for (const value of region) at = bytes.writeDoubleLE(value, at);
    const hashAt = at;
    at = bytes.writeUInt32LE(hashes.length / 2, at + 16);
    const first = at;
    for (const one of hashes) at = bytes.writeUIntLE(one, at, hashBytes);
    hash('sha256', bytes.subarray(first, at), 'buffer').copy(bytes, hashAt, 0, 16);
  }
  return packMember('platen/tiles.bin', bytes, 'stored');
}

function* leavesOf(tile: PlannedTile): Generator<PlannedTile, void> {
  if (tile.children.length === 0) yield tile;
  for (const child of tile.children) yield* leavesOf(child);
}
