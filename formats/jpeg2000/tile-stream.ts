import type { Bytes } from '../bytes/bytes.ts';
import { readExactly, viewOf } from '../bytes/read-exactly.ts';
import { marker, type Codestream } from './read-codestream.ts';

/** The pixels of a tile. */
export interface TileSize {
  readonly width: number;
  readonly height: number;
}

export function tileSizeOf(
  { width, height, tileWidth, tileHeight }: Codestream,
  column: number,
  row: number,
): TileSize {
  return {
    width: Math.min(tileWidth, width - column * tileWidth),
    height: Math.min(tileHeight, height - row * tileHeight),
  };
}

/**
 * A codestream of one tile alone: an image that covers as much of the reference grid, in the same place, as its wavelets depend
 * on that (ISO 15444-1, B.3). Undefined: the tile is left out. @throws BytesError
 */
export async function readTileStream(
  bytes: Bytes,
  stream: Codestream,
  { column, row }: { readonly column: number; readonly row: number },
): Promise<Uint8Array | undefined> {
  const parts = stream.tiles[row * stream.columns + column]!;
  if (parts.length === 0) return undefined;
  const { width, height } = tileSizeOf(stream, column, row);
  const size = stream.size.slice();
  const siz = viewOf(size);
  const left = siz.getUint32(12) + column * stream.tileWidth;
  const top = siz.getUint32(16) + row * stream.tileHeight;
  for (const [at, value] of [
    [4, left + width],
    [8, top + height],
    [12, left],
    [16, top],
    [28, left],
    [32, top],
  ] as const)
    siz.setUint32(at, value);
  const pieces: Uint8Array[] = [shorts(0xff4f, marker.siz), size, stream.markers];
  for (const { start, end } of parts) {
    const part = (await readExactly(bytes, start, end - start)).slice();
    const sot = viewOf(part);
    sot.setUint16(4, 0);
    sot.setUint32(6, part.length);
    pieces.push(part);
  }
  return Buffer.concat([...pieces, shorts(marker.eoc)]);
}

function shorts(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values.flatMap((value) => [value >> 8, value & 255]));
}
