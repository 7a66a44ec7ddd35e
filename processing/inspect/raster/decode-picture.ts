import { BytesError } from '@platen/formats/bytes/bytes';
import type { DecodePicture } from '@platen/formats/geotiff/read-block';
import { loadSharp } from '../load-sharp.ts';

const maxPixels = 16 << 20;
const maxSeconds = 8;

/** Returns undefined where native code may not run. */
export async function pictureDecoder(): Promise<DecodePicture | undefined> {
  const sharp = await loadSharp();
  return (
    sharp &&
    (async (picture, bands) => {
      try {
        const image = sharp(picture, { limitInputPixels: maxPixels, failOn: 'error' }).timeout({
          seconds: maxSeconds,
        });
        const withBands = bands === 4 ? image.ensureAlpha() : image.removeAlpha();
        const { data, info } = await withBands
          .toColourspace(bands === 1 ? 'b-w' : 'srgb')
          .raw()
          .toBuffer({ resolveWithObject: true });
        if (info.channels === bands) return data;
      } catch (error) {
        throw new BytesError('one of its tiles is damaged', { cause: error });
      }
      throw new BytesError('one of its tiles has other bands than its header declares');
    })
  );
}
