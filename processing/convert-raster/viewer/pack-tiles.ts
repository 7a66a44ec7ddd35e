import { packBlock } from '@platen/formats/geotiff/pack-block';
import { fillHidden } from '@platen/geo/raster/fill-hidden';
import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import type { ImageCodec } from '../../kit/images/image-codec.ts';
import type { EncodedTiles, TileEncoding } from '../../kit/images/encode-tiles.ts';
import type { PackedUnit } from '../pyramid/make-pyramid.ts';

/** Packs units of RGBA in tiles. */
export interface TilePacker {
  pack(square: PixelSquare | undefined): Promise<PackedUnit>;
  /** What JPEG tiles have in common. */
  readonly tables: Uint8Array;
}

export interface TileForm {
  readonly unitSide: number;
  readonly encoding: TileEncoding;
}

/** From here on, a pixel is shown by a mask, which has no shades. */
const shownAlpha = 128;

export async function openTilePacker(
  codec: ImageCodec,
  { unitSide, encoding }: TileForm,
): Promise<TilePacker> {
  const { side, format } = encoding;
  const count = (unitSide / side) ** 2;
  const empty = new Uint8Array(unitSide ** 2 * 4);
  /** Colours that are being encoded are put there: fresh memory takes as long as the work. */
  const free: Uint8Array[] = [];
  const encodeJpeg = async (rgba: Uint8Array): Promise<EncodedTiles> => {
    const rgb = free.pop() ?? new Uint8Array(unitSide ** 2 * 3);
    const samples = fillHidden(rgba, unitSide, rgb);
    const encoded = await codec.encodeTiles(
      { width: unitSide, height: unitSide, bands: 3, samples },
      encoding,
    );
    free.push(rgb);
    return encoded;
  };
  const encode = (rgba: Uint8Array): Promise<EncodedTiles> =>
    format === 'webp'
      ? codec.encodeTiles({ width: unitSide, height: unitSide, bands: 4, samples: rgba }, encoding)
      : encodeJpeg(rgba);
  const blank = await encode(empty);
  const [hidden, shown] = await Promise.all(
    [0, 1].map((value) => packMask(new Uint8Array(side ** 2).fill(value), side)),
  );
  const maskOf = async (words: Int32Array, tile: number): Promise<Uint8Array> => {
    const mask = new Uint8Array(side ** 2);
    const count = cutMask(words, mask, { unitSide, side, tile });
    return count === mask.length ? shown! : count > 0 ? packMask(mask, side) : hidden!;
  };
  const masksOf = async (words: Int32Array): Promise<Uint8Array[]> =>
    isOpaque(words) ? numbers.map(() => shown!) : Promise.all(numbers.map((tile) => maskOf(words, tile)));
  const numbers = Array.from({ length: count }, (_, tile) => tile);
  return {
    tables: blank.tables,
    async pack(square) {
      const rgba = square?.samples as Uint8Array | undefined;
      const images = rgba ? (await encode(rgba)).tiles : blank.tiles;
      if (format === 'webp') return { images };
      const masks = rgba
        ? await masksOf(new Int32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4))
        : numbers.map(() => hidden!);
      return { images, masks };
    },
  };
}

function isOpaque(words: Int32Array): boolean {
  for (let i = 0; i < words.length; i++) if (words[i]! >>> 24 < shownAlpha) return false;
  return true;
}

/** @returns how many pixels of a tile are shown */
function cutMask(
  words: Int32Array,
  mask: Uint8Array,
  { unitSide, side, tile }: { readonly unitSide: number; readonly side: number; readonly tile: number },
): number {
  const columns = unitSide / side;
  const first = (Math.floor(tile / columns) * unitSide + (tile % columns)) * side;
  let count = 0;
  for (let row = 0, to = 0; row < side; row++) {
    const start = first + row * unitSide;
    for (let at = start; at < start + side; at++) {
      const one = words[at]! >>> 24 >= shownAlpha ? 1 : 0;
      mask[to++] = one;
      count += one;
    }
  }
  return count;
}

function packMask(mask: Uint8Array, width: number): Promise<Uint8Array> {
  return packBlock(mask, { width, bands: 1, bits: 1, compression: 'deflate', predictor: 1 });
}
