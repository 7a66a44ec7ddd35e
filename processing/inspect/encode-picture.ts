import type { Picture } from '@platen/geo/canvas/picture';
import { loadSharp } from './load-sharp.ts';
import { dataUrl, maxSide, thumbnailUrl } from './thumbnail-url.ts';

const qualities = [80, 50];

/** Like thumbnailUrl, but as WebP, in which imagery is smaller, where native code may run. */
export async function encodePicture(picture: Picture): Promise<string | undefined> {
  return (await encodeWebp(picture)) ?? thumbnailUrl(picture);
}

async function encodeWebp({ rgba, width, height }: Picture): Promise<string | undefined> {
  const sharp = await loadSharp();
  if (!sharp) return undefined;
  for (const quality of qualities) {
    const webp = await sharp(rgba, { raw: { width, height, channels: 4 } })
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .webp({ quality, alphaQuality: quality })
      .toBuffer();
    const url = dataUrl(webp, 'image/webp');
    if (url !== undefined) return url;
  }
  return undefined;
}
