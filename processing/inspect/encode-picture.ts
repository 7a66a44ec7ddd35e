import type { Picture } from '@platen/geo/canvas/picture';
import { openImageCodec } from '../kit/images/image-codec.ts';
import { dataUrl, maxSide, thumbnailUrl } from './thumbnail-url.ts';

const qualities = [80, 50];

/** Like thumbnailUrl, but as WebP, in which imagery is smaller, where native code may run. */
export async function encodePicture(picture: Picture): Promise<string | undefined> {
  return (await encodeWebp(picture)) ?? thumbnailUrl(picture);
}

async function encodeWebp({ rgba: samples, width, height }: Picture): Promise<string | undefined> {
  const codec = await openImageCodec();
  if (!codec) return undefined;
  for (const quality of qualities) {
    const webp = await codec.encode(
      { width, height, bands: 4, samples },
      { format: 'webp', quality, maxSide },
    );
    const url = dataUrl(webp, 'image/webp');
    if (url !== undefined) return url;
  }
  return undefined;
}
