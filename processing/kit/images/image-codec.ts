import { JobFailure } from '../../job-type.ts';
import { decodeImage, type DecodeOptions } from './decode-image.ts';
import { encodeImage, type EncodeOptions } from './encode-image.ts';
import { encodeTiles, type EncodedTiles, type TileEncoding } from './encode-tiles.ts';
import { loadSharp } from './load-sharp.ts';
import type { RasterImage } from './raster-image.ts';

/** Decodes and encodes images by native code, from bytes to bytes. */
export interface ImageCodec {
  /** Only the first image of a file with several. @throws ImageError */
  readonly decode: (bytes: Uint8Array, options?: DecodeOptions) => Promise<RasterImage>;
  /** @throws ImageError */
  readonly encode: (image: RasterImage, options: EncodeOptions) => Promise<Uint8Array>;
  /** Encodes an image in tiles, as TIFF has them. @throws ImageError */
  readonly encodeTiles: (image: RasterImage, encoding: TileEncoding) => Promise<EncodedTiles>;
}

/**
 * Undefined where native code may not run.
 * @param atOnce images that are worked on at a time, each by one thread: `workers` of a memory plan; others wait
 */
export async function openImageCodec(atOnce = 1): Promise<ImageCodec | undefined> {
  const sharp = await loadSharp();
  if (!sharp) return undefined;
  const takeTurn = createTurns(atOnce);
  return {
    decode: (bytes, options) => takeTurn(() => decodeImage(sharp, bytes, options)),
    encode: (image, options) => takeTurn(() => encodeImage(sharp, image, options)),
    encodeTiles: (image, encoding) => takeTurn(() => encodeTiles(sharp, image, encoding)),
  };
}

/** @throws JobFailure where native code may not run */
export async function requireImageCodec(atOnce?: number): Promise<ImageCodec> {
  const codec = await openImageCodec(atOnce);
  if (codec) return codec;
  throw new JobFailure(
    'unsupported',
    'Images cannot be read or written here: this runner may not load native code. Use another runner.',
  );
}

function createTurns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
