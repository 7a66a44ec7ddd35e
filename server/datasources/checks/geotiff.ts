import { BytesError } from '@platen/formats/bytes/bytes';
import { cogAdvice } from '@platen/formats/geotiff/cog-advice';
import { geoKey, readGeoKeys, userDefined } from '@platen/formats/geotiff/geo-keys';
import { readImage } from '@platen/formats/geotiff/read-image';
import { readTiff } from '@platen/formats/geotiff/read-tiff';
import { findViewerFaults } from '@platen/formats/geotiff/viewer-faults';
import { UnusableData, type ReadAt } from './refused.ts';

/**
 * Looks at the directories of a TIFF alone: the viewer needs tiles, EPSG:3857, alpha or a mask, and no ZSTD.
 * @throws UnusableData
 */
export async function checkCog(read: ReadAt): Promise<void> {
  const [fault] = await faultsOf(read);
  if (fault !== undefined) throw new UnusableData(`${fault} ${cogAdvice}`);
}

async function faultsOf(read: ReadAt): Promise<string[]> {
  try {
    // the size is unknown, but reading beyond the end fails
    const tiff = await readTiff({ size: Number.MAX_SAFE_INTEGER, read });
    if (tiff.fault !== undefined) throw new BytesError(tiff.fault);
    const images = [];
    for (const directory of tiff.directories) images.push(await readImage(tiff, directory));
    const code = (await readGeoKeys(tiff, tiff.directories[0]!)).number(geoKey.projectedCrs);
    return findViewerFaults(images, code === undefined || code === userDefined ? undefined : `EPSG:${code}`);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    throw new UnusableData(`The TIFF cannot be read: ${error.message}.`);
  }
}
