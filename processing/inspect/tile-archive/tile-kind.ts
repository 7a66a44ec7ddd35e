import { gunzipSync } from 'node:zlib';

export type TileKind = 'vector' | 'png' | 'jpeg' | 'webp' | 'avif' | 'terrain' | 'unknown';

const maxTileBytes = 32 << 20;

/** Decompresses a gzipped tile and returns others unchanged; undefined if it is damaged or too large. */
export function unpackTile(tile: Uint8Array): Uint8Array | undefined {
  if (tile[0] !== 0x1f || tile[1] !== 0x8b) return tile;
  try {
    return gunzipSync(tile, { maxOutputLength: maxTileBytes });
  } catch {
    return undefined;
  }
}

/** Recognises a tile by its first bytes; a vector tile begins with a layer (field 3, length-delimited). */
export function kindOfTile(unpacked: Uint8Array): TileKind {
  const head = Buffer.from(unpacked.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  if (head.slice(4, 12) === 'ftypavif') return 'avif';
  return head[0] === '\x1a' ? 'vector' : 'unknown';
}
