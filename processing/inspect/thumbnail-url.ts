import { writePng } from '@platen/formats/png/write-png';
import type { Picture } from '@platen/geo/canvas/picture';
import { fitPicture } from '@platen/geo/canvas/resize-picture';

/** Pixels along the longer side, as `InspectionReport` allows. */
export const maxSide = 256;
const maxUrlLength = 120_000;

/** A picture of any size as a data: URL of a PNG: of 256 pixels a side, or of 128 where that would be too long. */
export function thumbnailUrl(picture: Picture): string | undefined {
  return encodePng(fitPicture(picture, maxSide)) ?? encodePng(fitPicture(picture, maxSide / 2));
}

const encodePng = ({ rgba, width, height }: Picture) => dataUrl(writePng(rgba, width, height), 'image/png');

/** undefined where it is longer than a report allows. */
export function dataUrl(image: Uint8Array, type: 'image/png' | 'image/webp'): string | undefined {
  const url = `data:${type};base64,${Buffer.from(image).toString('base64')}`;
  return url.length <= maxUrlLength ? url : undefined;
}
