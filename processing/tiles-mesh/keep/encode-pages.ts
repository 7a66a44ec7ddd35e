import { bytesOf } from '@platen/formats/bytes/unpacked-bytes';
import { readImageHeader } from '@platen/formats/image/read-header';
import { ImageError } from '../../kit/images/image-error.ts';
import type { ImageCodec } from '../../kit/images/image-codec.ts';
import type { TexturePage } from '../../models/glb/write-feature-tile.ts';
import type { Settings } from '../settings.ts';

export interface PageOptions {
  readonly settings: Pick<Settings, 'textureFormat' | 'textureQuality' | 'textureSide'>;
  readonly codec: ImageCodec | undefined;
  readonly maxPixels: number;
  /** Alpha of the image hides what it covers. */
  readonly isMask: boolean;
  /** Alpha is drawn in any way. */
  readonly needsAlpha: boolean;
  readonly repeats: boolean;
}

const opaque = 250;

/** An image in the format and size of the options; untouched if it has them already. @throws ImageError */
export async function encodePage(bytes: Uint8Array, options: PageOptions): Promise<TexturePage> {
  const { settings, codec, maxPixels, isMask, needsAlpha, repeats } = options;
  const { textureFormat, textureQuality: quality, textureSide: side } = settings;
  const wanted = textureFormat === 'jpeg' ? 'jpeg' : 'webp';
  const header = await readImageHeader(bytesOf(bytes));
  const isFit =
    header?.fault === undefined && Math.max(header?.width ?? Infinity, header?.height ?? 0) <= side;
  if (header?.format === wanted && isFit)
    return { mimeType: `image/${wanted}`, bytes, hasAlpha: isMask, repeats };
  if (codec === undefined) throw new ImageError('unsupported', 'Images cannot be decoded here.');
  const resize = { width: side, height: side, fit: 'inside' } as const;
  const image = await codec.decode(bytes, { bands: 4, maxPixels, resize });
  const samples = image.samples as Uint8Array;
  let hasAlpha = false;
  for (let i = 3; i < samples.length && !hasAlpha; i += 4) hasAlpha = samples[i]! < opaque;
  // JPEG has no alpha
  const used = wanted === 'jpeg' && hasAlpha && needsAlpha ? 'png' : wanted;
  const encoded = await codec.encode(
    image,
    used === 'webp'
      ? { format: used, quality, effort: 2 }
      : used === 'jpeg'
        ? { format: used, quality }
        : { format: used },
  );
  return { mimeType: `image/${used}`, bytes: encoded, hasAlpha: isMask && hasAlpha, repeats };
}
