import { packBlock } from '@platen/formats/geotiff/pack-block';
import { fillHidden } from '@platen/geo/raster/fill-hidden';
import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import type { ImageCodec } from '../../kit/images/image-codec.ts';
import type { TileEncoding } from '../../kit/images/encode-tiles.ts';
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
  const encode = async (rgba: Uint8Array): Promise<{ tiles: readonly Uint8Array[]; tables: Uint8Array }> =>
    format === 'webp'
      ? codec.encodeTiles({ width: unitSide, height: unitSide, bands: 4, samples: rgba }, encoding)
      : codec.encodeTiles(
          { width: unitSide, height: unitSide, bands: 3, samples: fillHidden(rgba, unitSide) },
          encoding,
        );
  const blank = await encode(empty);
  const [hidden, shown] = await Promise.all(
    [0, 1].map((value) => packMask(new Uint8Array(side ** 2).fill(value), side)),
  );
  const maskOf = async (rgba: Uint8Array, tile: number): Promise<Uint8Array> => {
    const mask = cutMask(rgba, { unitSide, side, tile });
    if (mask.every((one) => one === 1)) return shown!;
    return mask.includes(1) ? packMask(mask, side) : hidden!;
  };
  const masksOf = async (rgba: Uint8Array): Promise<Uint8Array[]> =>
    isOpaque(rgba) ? numbers.map(() => shown!) : Promise.all(numbers.map((tile) => maskOf(rgba, tile)));
  const numbers = Array.from({ length: count }, (_, tile) => tile);
  return {
    tables: blank.tables,
    async pack(square) {
      const rgba = square?.samples as Uint8Array | undefined;
      const images = rgba ? (await encode(rgba)).tiles : blank.tiles;
      if (format === 'webp') return { images };
      return { images, masks: rgba ? await masksOf(rgba) : numbers.map(() => hidden!) };
    },
  };
}

function isOpaque(rgba: Uint8Array): boolean {
  for (let alpha = 3; alpha < rgba.length; alpha += 4) if (rgba[alpha]! < shownAlpha) return false;
  return true;
}

function cutMask(
  rgba: Uint8Array,
  { unitSide, side, tile }: { readonly unitSide: number; readonly side: number; readonly tile: number },
): Uint8Array {
  const mask = new Uint8Array(side ** 2);
  const columns = unitSide / side;
  const first = (Math.floor(tile / columns) * unitSide + (tile % columns)) * side;
  for (let row = 0, to = 0; row < side; row++) {
    let from = (first + row * unitSide) * 4 + 3;
    for (let column = 0; column < side; column++, from += 4) mask[to++] = rgba[from]! >= shownAlpha ? 1 : 0;
  }
  return mask;
}

function packMask(mask: Uint8Array, width: number): Promise<Uint8Array> {
  return packBlock(mask, { width, bands: 1, bits: 1, compression: 'deflate', predictor: 1 });
}
