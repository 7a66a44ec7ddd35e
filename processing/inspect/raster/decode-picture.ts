import { BytesError } from '@platen/formats/bytes/bytes';
import type { DecodePicture } from '@platen/formats/geotiff/read-block';
import { openImageCodec } from '../../kit/images/image-codec.ts';
import { ImageError } from '../../kit/images/image-error.ts';

const maxPixels = 16 << 20;
const maxSeconds = 8;

/** Returns undefined where native code may not run. */
export async function pictureDecoder(): Promise<DecodePicture | undefined> {
  const codec = await openImageCodec();
  return (
    codec &&
    (async (picture, bands) => {
      try {
        const options = { bands: bands as 1 | 2 | 3 | 4, maxPixels, maxSeconds };
        return (await codec.decode(picture, options)).samples as Uint8Array;
      } catch (error) {
        const hasOtherBands = error instanceof ImageError && error.code === 'unsupported';
        const what = hasOtherBands ? 'has other bands than its header declares' : 'is damaged';
        throw new BytesError(`one of its tiles ${what}`, { cause: error });
      }
    })
  );
}
