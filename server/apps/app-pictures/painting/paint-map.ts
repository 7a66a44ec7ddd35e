import { writePng } from '@platen/formats/png/write-png';
import { paintPicture, type PaintHost, type PaintInput } from './paint-picture.ts';

/** Paints a map from above. @returns a PNG of 1200 × 630 pixels */
export async function parse(input: PaintInput, host: PaintHost): Promise<Uint8Array> {
  const { rgba, width, height } = await paintPicture(input, host);
  return writePng(rgba, width, height);
}
