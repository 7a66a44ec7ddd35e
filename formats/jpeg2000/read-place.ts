import { bytesOf } from '../bytes/unpacked-bytes.ts';
import { crsOfKeys, type KeyedCrs } from '../geotiff/geo-crs.ts';
import { geoKey, readGeoKeys } from '../geotiff/geo-keys.ts';
import { readGeoTransform, type GeoTransform } from '../geotiff/geo-transform.ts';
import { readImage } from '../geotiff/read-image.ts';
import { readTiff, type Tiff } from '../geotiff/read-tiff.ts';
import { readGmlPlace } from './gml-place.ts';
import type { Jpeg2000 } from './read-jpeg2000.ts';

/** Where a JPEG 2000 file says that it is. */
export interface Jpeg2000Place {
  readonly transform: GeoTransform | undefined;
  readonly crs: KeyedCrs;
  /** The GeoTIFF in it. */
  readonly tiff: Tiff | undefined;
}

const rasterIsPoint = 2;
const unknownCrs: KeyedCrs = {
  text: undefined,
  citation: undefined,
  isUserDefined: false,
  vertical: undefined,
};

/** By the GeoTIFF in it (GeoJP2), or else by GML. @throws BytesError */
export async function placeOfJpeg2000({
  geoTiff,
  gml,
}: Pick<Jpeg2000, 'geoTiff' | 'gml'>): Promise<Jpeg2000Place> {
  if (geoTiff) {
    const tiff = await readTiff(bytesOf(geoTiff));
    const directory = tiff.directories[0]!;
    const keys = await readGeoKeys(tiff, directory);
    const isPoint = keys.number(geoKey.rasterType) === rasterIsPoint;
    const transform = await readGeoTransform(tiff, await readImage(tiff, directory), isPoint);
    if (transform) return { transform, crs: crsOfKeys(keys), tiff };
  }
  if (gml === undefined) return { transform: undefined, crs: unknownCrs, tiff: undefined };
  const { crs, transform } = readGmlPlace(gml);
  return { transform, crs: { ...unknownCrs, text: crs }, tiff: undefined };
}
