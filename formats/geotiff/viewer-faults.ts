import type { TiffImage } from './read-image.ts';
import { compression } from './tags.ts';

const webMercator = 'EPSG:3857';

/**
 * Reasons why VC Map cannot show the file on the globe, as sentences; empty if it can.
 * @param images the main image first
 * @param crsCode `EPSG:3857`; undefined without a CRS or a code
 */
export function findViewerFaults(
  [image, ...others]: readonly TiffImage[],
  crsCode: string | undefined,
): string[] {
  if (image === undefined) return ['The TIFF holds no image.'];
  const faults: string[] = [];
  if (!image.isTiled) faults.push('The TIFF is stored in strips, not in tiles: it is not cloud-optimized.');
  if (image.compression === compression.zstd) faults.push('The viewer cannot read ZSTD compression.');
  if (crsCode !== webMercator)
    faults.push(`It must be in EPSG:3857, not in ${crsCode ?? 'another coordinate system'}.`);
  const hasMask = others.some(({ isMask }) => isMask);
  if (image.bands >= 3 && image.alphaBand === undefined && !hasMask)
    faults.push('It has neither an alpha channel nor a mask: it would be garbled on the globe.');
  return faults;
}
