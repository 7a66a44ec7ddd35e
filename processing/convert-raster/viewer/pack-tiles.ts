import { packBlock } from '@platen/formats/geotiff/pack-block';
import { fillHidden } from '@platen/geo/raster/fill-hidden';
import {
  blacken,
  cutRgb,
  joinRgba,
  opacityOf,
  type Opacity,
  type RgbSquare,
  type SquarePart,
} from '@platen/geo/raster/rgb-square';
import type { ImageCodec } from '../../kit/images/image-codec.ts';
import type { TileEncoding } from '../../kit/images/encode-tiles.ts';
import type { PackedUnit, UnitExtent } from '../pyramid/make-pyramid.ts';

/** Packs units of colours in tiles. */
export interface TilePacker {
  /** Changes hidden pixels of the square. */
  pack(square: RgbSquare | undefined, extent: UnitExtent): Promise<PackedUnit>;
  /** What JPEG tiles have in common. */
  readonly tables: Uint8Array;
}

/** From here on, a pixel is shown by a mask, which has no shades. */
const shownAlpha = 128;

/** @param unitSide pixels a side of the squares */
export async function openTilePacker(
  codec: ImageCodec,
  unitSide: number,
  encoding: TileEncoding,
): Promise<TilePacker> {
  const { side, format } = encoding;
  const bands = format === 'webp' ? 4 : 3;
  /** Pixels that are being encoded are put there: fresh memory takes as long as the work. */
  const free: Uint8Array[] = [];
  const blankImage = { width: side, height: side, bands, samples: new Uint8Array(side ** 2 * bands) };
  const blank = await codec.encodeTiles(blankImage, encoding);
  const maskOf = await openMasks(side);
  const encode = async (square: RgbSquare, extent: UnitExtent): Promise<readonly Uint8Array[]> => {
    const size = { width: extent.columns * side, height: extent.rows * side };
    const encodeSamples = async (samples: Uint8Array) =>
      (await codec.encodeTiles({ ...size, bands, samples }, encoding)).tiles;
    // rows that are as wide as the square are encoded where they are
    if (format === 'jpeg' && size.width === unitSide)
      return encodeSamples(square.rgb.subarray(0, size.width * size.height * bands));
    const own = free.pop() ?? new Uint8Array(unitSide ** 2 * bands);
    const tiles = await encodeSamples((format === 'webp' ? joinRgba : cutRgb)(square, size, own));
    free.push(own);
    return tiles;
  };
  return {
    tables: blank.tables,
    async pack(square, extent) {
      const parts = partsOf(extent, side);
      const opacities = parts.map((part) => (square ? colourHidden(square, part) : 'hidden'));
      const masks =
        format === 'webp'
          ? undefined
          : await Promise.all(parts.map((part, i) => maskOf(square, part, opacities[i]!)));
      const images = square ? await encode(square, extent) : parts.map(() => blank.tiles[0]!);
      return { images, ...(masks && { masks }) };
    },
  };
}

function partsOf({ columns, rows }: UnitExtent, side: number): SquarePart[] {
  return Array.from({ length: columns * rows }, (_, tile) => ({
    left: (tile % columns) * side,
    top: Math.floor(tile / columns) * side,
    side,
  }));
}

/** Gives hidden pixels near shown ones a colour: encoders carry other colours into the picture. */
function colourHidden(square: RgbSquare, part: SquarePart): Opacity {
  const opacity = opacityOf(square, part);
  if (opacity === 'hidden') blacken(square, part);
  if (opacity === 'mixed') fillHidden(square, part);
  return opacity;
}

/** Creates what packs the mask of a tile. */
async function openMasks(side: number) {
  const [hidden, shown] = await Promise.all(
    [0, 1].map((value) => packMask(new Uint8Array(side ** 2).fill(value), side)),
  );
  return async (square: RgbSquare | undefined, part: SquarePart, opacity: Opacity): Promise<Uint8Array> => {
    if (!square || opacity === 'hidden') return hidden!;
    if (opacity === 'opaque') return shown!;
    const { mask, count } = cutMask(square, part);
    return count === mask.length ? shown! : count > 0 ? packMask(mask, side) : hidden!;
  };
}

/** @returns 1 for each pixel that is shown, and how many are */
function cutMask(
  { alpha, side: stride }: RgbSquare,
  { left, top, side }: SquarePart,
): { readonly mask: Uint8Array; readonly count: number } {
  const mask = new Uint8Array(side ** 2);
  let count = 0;
  for (let row = 0, to = 0; row < side; row++) {
    const start = (top + row) * stride + left;
    for (let at = start; at < start + side; at++) {
      const one = alpha[at]! >= shownAlpha ? 1 : 0;
      mask[to++] = one;
      count += one;
    }
  }
  return { mask, count };
}

function packMask(mask: Uint8Array, width: number): Promise<Uint8Array> {
  return packBlock(mask, { width, bands: 1, bits: 1, compression: 'deflate', predictor: 1 });
}
