import type { Inspection, SampledPixels } from '@platen/contract/inspect';
import type { SampleOfPixels } from '@platen/processing/raster-source/preview-colours';

/** Pixels of an inspected image: those that its inspection kept, else those of its thumbnail; undefined without both. */
export async function sampleOf({
  pixels,
  thumbnail,
  sheetPicture,
  layers,
}: Pick<Inspection, 'pixels' | 'thumbnail' | 'sheetPicture' | 'layers'>): Promise<
  SampleOfPixels | undefined
> {
  if (pixels) return unpackPixels(pixels);
  const url = thumbnail ?? sheetPicture?.url;
  if (url === undefined) return undefined;
  const image = new Image();
  image.src = url;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const whole = sheetPicture?.width ?? layers[0]?.details?.['width'];
  return {
    width,
    height,
    bands: 4,
    alphaBand: 3,
    samples: new Uint8Array(data),
    areColours: true,
    step: typeof whole === 'number' ? whole / width : 1,
  };
}

/** Pixels of thumbnails along the longer side. */
const maxSide = 256;

/** Width and height that the sample of an image will have, in pixels: thumbnails are as wide as they are high if nothing says more. */
export function expectedSizeOf({ pixels, sheetPicture, layers }: Inspection): {
  width: number;
  height: number;
} {
  if (pixels) return pixels;
  const { width, height } = sheetPicture ? {} : (layers[0]?.details ?? {});
  if (typeof width !== 'number' || typeof height !== 'number') return { width: maxSide, height: maxSide };
  const scale = Math.min(1, maxSide / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

const highest = 65_535;

export async function unpackPixels({
  width,
  height,
  bands,
  alphaBand,
  step,
  range,
  data,
}: SampledPixels): Promise<SampleOfPixels> {
  const [low, high] = range as [number, number];
  const packed = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const numbers = new DataView(await new Response(unpacked).arrayBuffer());
  const samples = Float32Array.from({ length: width * height * bands }, (_, at) => {
    const number = numbers.getUint16(at * 2, true);
    if (at % bands === alphaBand) return number > 1 ? 255 : 0;
    return number === 0 ? NaN : low + ((number - 1) / (highest - 1)) * (high - low);
  });
  return { width, height, bands, alphaBand, samples, areColours: false, step };
}
