import { geoKey } from '@platen/formats/geotiff/geo-keys';
import { compressionName, photometricName } from '@platen/formats/geotiff/tags';
import type { TiffImage } from '@platen/formats/geotiff/read-image';
import type { DescribedTiff } from './describe-tiff.ts';
import { round } from './value-range.ts';

const maxItems = 50;
const maxValueLength = 300;

/** Builds a layer's `details` for an image. */
export function describePixels(
  { images, keys, transform, metadata, noData, tiff }: DescribedTiff,
  isCog: boolean,
): Record<string, unknown> {
  const [image] = images as [TiffImage];
  const { width, height, bands, bits, sampleFormat, isTiled, blockWidth, blockHeight, alphaBand } = image;
  const overviews = images.filter(({ isOverview, isMask }) => isOverview && !isMask);
  const [a, b, , d, e] = transform?.matrix ?? [];
  return {
    width,
    height,
    bands,
    sampleType: `${sampleFormat}${bits}`,
    compression: compressionName(image.compression),
    photometric: photometricName(image.photometric),
    blocks: `${isTiled ? 'tiles' : 'strips'} ${blockWidth} × ${blockHeight}`,
    overviews: overviews.map((overview) => `${overview.width} × ${overview.height}`),
    hasAlpha: alphaBand !== undefined,
    hasMask: images.some(({ isMask }) => isMask),
    isCloudOptimized: isCog,
    ...(tiff.isBig && { isBigTiff: true }),
    ...(noData !== undefined && { noData: Number.isNaN(noData) ? 'NaN' : noData }),
    ...(transform && {
      pixelSize: [round(Math.hypot(a!, d!)), round(Math.hypot(b!, e!))],
      pixelIs: keys.number(geoKey.rasterType) === 2 ? 'point' : 'area',
      ...((b !== 0 || d !== 0) && { isRotated: true }),
    }),
    ...(metadata.length > 0 && {
      metadata: Object.fromEntries(
        metadata
          .slice(0, maxItems)
          .map(({ name, band, value }) => [
            band === undefined ? name : `${name} (band ${band + 1})`,
            value.slice(0, maxValueLength),
          ]),
      ),
    }),
  };
}
