import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { crsOfKeys } from '@platen/formats/geotiff/geo-crs';
import { geoKey, readGeoKeys } from '@platen/formats/geotiff/geo-keys';
import { readGeoTransform } from '@platen/formats/geotiff/geo-transform';
import { openBlocks } from '@platen/formats/geotiff/read-block';
import { readGdalMetadata, readImage, readNoData } from '@platen/formats/geotiff/read-image';
import { readTiff } from '@platen/formats/geotiff/read-tiff';
import { JobFailure, type JobInput } from '../../job-type.ts';
import { readSidecarPlace } from '../../raster-source/sidecars.ts';
import { unknownCrs } from './unknown-crs.ts';
import type { Sheet } from './sheet.ts';

const rasterIsPoint = 2;

/** @throws BytesError, JobFailure */
export async function describeTiffSheet(input: JobInput, bytes: Bytes): Promise<Sheet> {
  const { name, path, crs } = input;
  const tiff = await readTiff(bytes);
  if (tiff.fault !== undefined) throw new BytesError(tiff.fault);
  const directory = tiff.directories[0]!;
  const image = await readImage(tiff, directory);
  if (!openBlocks(tiff, image))
    throw new JobFailure(
      'unsupported',
      `${name} stores its heights in a way that is not read here. Convert it: gdal_translate -co COMPRESS=DEFLATE ${name} out.tif`,
    );
  const keys = await readGeoKeys(tiff, directory);
  const isPoint = keys.number(geoKey.rasterType) === rasterIsPoint;
  const own = await readGeoTransform(tiff, image, isPoint);
  const { text, vertical } = crsOfKeys(keys);
  const side = own && text !== undefined ? undefined : await readSidecarPlace(input);
  const transform = own ?? side?.transform;
  const system = crs ?? text ?? side?.crs;
  if (transform === undefined || transform.isApproximate)
    throw new JobFailure(
      'invalidCoordinates',
      `${name} does not say where it is. Add its world file (.tfw) or .aux.xml to the inputs, or georeference it (gdal_edit.py or gdalwarp), and upload the result.`,
    );
  if (system === undefined) throw unknownCrs(name);
  const metadata = await readGdalMetadata(tiff, image);
  const numberOf = (role: string): number | undefined => {
    const item = metadata.find((one) => one.role === role && (one.band ?? 0) === 0);
    const value = Number(item?.value ?? NaN);
    return Number.isFinite(value) ? value : undefined;
  };
  const [scale, offset] = [numberOf('scale'), numberOf('offset')];
  return {
    name,
    path,
    cells: 'geotiff',
    width: image.width,
    height: image.height,
    matrix: transform.matrix,
    crs: system,
    vertical: vertical ?? findVerticalCrs(system),
    noData: await readNoData(tiff, image),
    ...(scale !== undefined && { scale }),
    ...(offset !== undefined && { offset }),
  };
}
