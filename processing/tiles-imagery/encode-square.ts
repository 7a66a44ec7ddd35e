import { tileIdOf } from '@platen/geo/pmtiles/tile-id';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import { withTables } from '../kit/images/encode-tiles.ts';
import type { ImageCodec } from '../kit/images/image-codec.ts';
import { hashTile, type PackedTile } from '../kit/pack-tile.ts';
import type { Settings } from './settings.ts';

/** Pixels a side. */
export const tileSide = 256;
/** Above it, libvips writes the colours of JPEG in TIFF in a way that map viewers mistake. */
const maxJpegQuality = 89;

export interface EncodedTile {
  readonly tileId: number;
  readonly tile: PackedTile;
}

/** Encodes the tiles of a square of RGBA, in the order of their ids, without those in which nothing is shown. */
export type EncodeSquare = (rgba: Uint8Array, corner: BlockPlace) => Promise<EncodedTile[]>;

export function createTileEncoder(codec: ImageCodec, settings: Settings): EncodeSquare {
  const { format, background } = settings;
  const encodeOne = oneEncoder(codec, settings);
  return async (rgba, corner) => {
    const side = Math.sqrt(rgba.length / 4);
    const places = placesIn(corner, side / tileSide);
    const cut = places.map((place) => cutTile(rgba, side, place));
    const kinds = cut.map(kindOf);
    const isJpeg = (kind: TileKind): boolean =>
      format === 'jpeg' ? kind !== 'empty' : format === 'auto' && kind === 'opaque';
    const jpegs = kinds.some(isJpeg) ? await encodeJpegs(codec, flatten(rgba, background), settings) : [];
    const tiles: EncodedTile[] = [];
    for (const [i, { tileId, number }] of places.entries()) {
      const kind = kinds[i]!;
      if (kind === 'empty') continue;
      const bytes = isJpeg(kind) ? jpegs[number]! : await encodeOne(cut[i]!);
      tiles.push({ tileId, tile: { bytes, ...hashTile(bytes) } });
    }
    return tiles;
  };
}

interface TileInSquare {
  readonly tileId: number;
  /** Row by row. */
  readonly number: number;
  readonly column: number;
  readonly row: number;
}

function placesIn({ z, x, y }: BlockPlace, perSide: number): TileInSquare[] {
  const places = Array.from({ length: perSide ** 2 }, (_, number) => {
    const [column, row] = [number % perSide, Math.floor(number / perSide)];
    return { tileId: tileIdOf(z, x + column, y + row), number, column, row };
  });
  return places.toSorted((a, b) => a.tileId - b.tileId);
}

function cutTile(rgba: Uint8Array, side: number, { column, row }: TileInSquare): Uint8Array {
  if (side === tileSide) return rgba;
  const tile = new Uint8Array(tileSide ** 2 * 4);
  for (let line = 0; line < tileSide; line++) {
    const from = ((row * tileSide + line) * side + column * tileSide) * 4;
    tile.set(rgba.subarray(from, from + tileSide * 4), line * tileSide * 4);
  }
  return tile;
}

type TileKind = 'empty' | 'mixed' | 'opaque';

function kindOf(rgba: Uint8Array): TileKind {
  let [hidden, shown] = [false, false];
  for (let alpha = 3; alpha < rgba.length; alpha += 4) {
    if (rgba[alpha] !== 0) shown = true;
    if (rgba[alpha] !== 255) hidden = true;
    if (hidden && shown) return 'mixed';
  }
  return shown ? 'opaque' : 'empty';
}

/** Red, green and blue over a background. */
function flatten(rgba: Uint8Array, background: readonly [number, number, number]): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    const alpha = rgba[from + 3]!;
    for (let i = 0; i < 3; i++)
      rgb[to + i] =
        alpha === 255
          ? rgba[from + i]!
          : (rgba[from + i]! * alpha + background[i]! * (255 - alpha)) / 255 + 0.5;
  }
  return rgb;
}

async function encodeJpegs(codec: ImageCodec, rgb: Uint8Array, { quality }: Settings): Promise<Uint8Array[]> {
  const side = Math.sqrt(rgb.length / 3);
  const { tiles, tables } = await codec.encodeTiles(
    { width: side, height: side, bands: 3, samples: rgb },
    { format: 'jpeg', quality: Math.min(maxJpegQuality, quality), side: tileSide },
  );
  return tiles.map((tile) => withTables(tile, tables));
}

/** Encodes what is no JPEG. */
function oneEncoder(codec: ImageCodec, { format, quality, isLossless }: Settings) {
  const encoding =
    format === 'webp'
      ? ({ format, quality, isLossless, effort: isLossless ? 0 : 2 } as const)
      : format === 'avif'
        ? ({ format, quality, effort: 0 } as const)
        : ({ format: 'png' } as const);
  return (rgba: Uint8Array): Promise<Uint8Array> =>
    codec.encode({ width: tileSide, height: tileSide, bands: 4, samples: rgba }, encoding);
}
