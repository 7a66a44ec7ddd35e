import { loadSharp } from './load-sharp.ts';
import { dataUrl, longestSide, thumbnailUrl, type Picture } from './thumbnail-url.ts';

const qualities = [80, 50];

/** As thumbnailUrl, but imagery fits, too: a WebP where native code may run. */
export async function encodePicture(picture: Picture): Promise<string | undefined> {
  const { width, height, rgba } = picture;
  const asWebp = await encodeWebp(rgba, { width, height, channels: 4 });
  return (
    asWebp ?? thumbnailUrl(picture) ?? thumbnailUrl(thin(picture, Math.ceil(Math.max(width, height) / 128)))
  );
}

/** A picture file as one of at most 256 pixels a side. */
export async function shrinkPicture(file: Uint8Array): Promise<string | undefined> {
  return encodeWebp(file);
}

interface Raw {
  readonly width: number;
  readonly height: number;
  readonly channels: 4;
}

async function encodeWebp(image: Uint8Array | Uint8ClampedArray, raw?: Raw): Promise<string | undefined> {
  const sharp = await loadSharp();
  if (!sharp) return undefined;
  for (const quality of qualities) {
    const webp = await sharp(image, raw && { raw })
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .webp({ quality, alphaQuality: quality })
      .toBuffer();
    const url = dataUrl(webp, 'image/webp');
    if (url !== undefined) return url;
  }
  return undefined;
}

function thin({ rgba, width, height }: Picture, step: number): Picture {
  const small = { width: Math.ceil(width / step), height: Math.ceil(height / step) };
  const pixels = new Uint8ClampedArray(small.width * small.height * 4);
  for (let y = 0, to = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++, to += 4) {
      const from = (y * step * width + x * step) * 4;
      pixels.set(rgba.subarray(from, from + 4), to);
    }
  }
  return { ...small, rgba: pixels };
}
