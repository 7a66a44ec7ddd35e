import { BytesError } from '@platen/formats/bytes/bytes';
import type { DecodePicture } from '@platen/formats/geotiff/read-block';
import type { DecodeOptions } from './decode-image.ts';
import { openImageCodec } from './image-codec.ts';
import { ImageError } from './image-error.ts';
import { imageFormatOf } from './image-format.ts';

/** What decodes tiles that are JPEG or WebP files; undefined where native code may not run. */
export async function openTileDecoder(
  limits: Pick<DecodeOptions, 'maxPixels' | 'maxSeconds'> = {},
): Promise<DecodePicture | undefined> {
  const codec = await openImageCodec();
  return (
    codec &&
    (async (picture, bands) => {
      // JPEG has no alpha: four bands are inks, or what the TIFF says
      const areParts = bands === 4 && imageFormatOf(picture) === 'jpeg';
      const wanted = areParts ? ({ keepsParts: true } as const) : { bands: bands as 1 | 2 | 3 | 4 };
      try {
        return (await codec.decode(picture, { ...wanted, ...limits })).samples as Uint8Array;
      } catch (error) {
        const hasOtherBands = error instanceof ImageError && error.code === 'unsupported';
        const what = hasOtherBands ? 'has other bands than its header declares' : 'is damaged';
        throw new BytesError(`one of its tiles ${what}`, { cause: error });
      }
    })
  );
}
