import { createTileMesher } from '@platen/geo/terrain/tile-mesher';
import { cellsPerTile, geometricErrorOf, tileDegrees, verticesPerSide } from '@platen/geo/terrain/tile-grid';
import type { Picture } from '@platen/geo/canvas/picture';
import { openImageCodec } from '../../kit/images/image-codec.ts';
import { isNothing } from '../../tile-style/draw-relief.ts';
import type { Windows } from './read-windows.ts';
import type { PixelSample } from './sample-pixels.ts';

/** Bits that a pixel takes as a part of a tile. */
export interface PackedBits {
  readonly jpegBits: number;
  readonly pngBits: number;
}

/** As the job types encode by default. */
const quality = 85;

/** How well pixels in full resolution can be packed; undefined if all are hidden, or where no native code may run. */
export async function measurePacking({ width, height, rgba }: Picture): Promise<PackedBits | undefined> {
  const codec = await openImageCodec();
  if (!codec) return undefined;
  const rgb = new Uint8Array(width * height * 3);
  let shown = 0;
  for (let pixel = 0; pixel < width * height; pixel++) {
    if (rgba[pixel * 4 + 3] === 0) continue;
    rgb.set(rgba.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
    shown++;
  }
  if (shown === 0) return undefined;
  const image = { width, height, bands: 3, samples: rgb };
  const jpeg = await codec.encode(image, { format: 'jpeg', quality });
  const png = await codec.encode(image, { format: 'png' });
  const bitsOf = ({ length }: Uint8Array) => Number(((length * 8) / shown).toPrecision(3));
  return { jpegBits: bitsOf(jpeg), pngBits: bitsOf(png) };
}

/** Windows that `measureMesh` takes. */
export const meshWindows: Windows = { side: verticesPerSide, across: 4 };
/** Of what viewers expect; the standard of the job type. */
const errorShare = 1 / 4;

/**
 * The mean number of vertices in the terrain tiles of windows of heights, as large as they are.
 * @param degrees of latitude that a cell is high
 */
export function measureMesh(
  { width, height, bands, values }: PixelSample,
  { noData, degrees, latitude }: { noData: number | undefined; degrees: number; latitude: number },
): number | undefined {
  const windows = Math.floor(height / verticesPerSide);
  if (width < verticesPerSide || windows === 0) return undefined;
  const z = Math.max(3, Math.round(Math.log2(tileDegrees(0) / cellsPerTile / degrees)));
  const y = Math.min(2 ** z - 1, Math.max(0, Math.floor((90 - latitude) / tileDegrees(z))));
  const mesher = createTileMesher();
  const heights = new Float64Array(verticesPerSide ** 2);
  let sum = 0;
  for (let window = 0; window < windows; window++) {
    for (let i = 0; i < heights.length; i++) {
      const value = values[(window * heights.length + i) * bands]!;
      heights[i] = isNothing(value, noData) ? 0 : value;
    }
    sum += mesher({ z, x: 0, y }, heights, geometricErrorOf(z) * errorShare).vertices.length;
  }
  return Math.round(sum / windows);
}
