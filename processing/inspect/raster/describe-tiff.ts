import { BytesError } from '@platen/formats/bytes/bytes';
import { checkCogLayout } from '@platen/formats/geotiff/cog-layout';
import { geoKey, readGeoKeys, type GeoKeys } from '@platen/formats/geotiff/geo-keys';
import { readGeoTransform, type GeoTransform } from '@platen/formats/geotiff/geo-transform';
import {
  readGdalMetadata,
  readImage,
  readNoData,
  type MetadataItem,
  type TiffImage,
} from '@platen/formats/geotiff/read-image';
import type { Tiff } from '@platen/formats/geotiff/read-tiff';
import { damage } from '../damage.ts';
import type { Issues } from '../issues.ts';

/** The content of a TIFF's directories. */
export interface DescribedTiff {
  readonly tiff: Tiff;
  /** The first is the main image; the others are overviews, masks or further images. */
  readonly images: readonly TiffImage[];
  readonly keys: GeoKeys;
  readonly transform: GeoTransform | undefined;
  readonly metadata: readonly MetadataItem[];
  readonly noData: number | undefined;
  /** Why the file is not cloud-optimized. */
  readonly cogFaults: readonly string[];
}

const rasterIsPoint = 2;

const maxImages = 200;

/** Damage after the first image is reported as an issue. @throws BytesError if the first image cannot be read */
export async function describeTiff(tiff: Tiff, file: string, issues: Issues): Promise<DescribedTiff> {
  const [first, ...others] = tiff.directories;
  const image = await readImage(tiff, first!);
  const images = [image];
  const keys = await readGeoKeys(tiff, first!);
  const isPoint = keys.number(geoKey.rasterType) === rasterIsPoint;
  let metadata: MetadataItem[] = [];
  let noData: number | undefined;
  let transform: GeoTransform | undefined;
  let cogFaults: readonly string[];
  try {
    transform = await readGeoTransform(tiff, image, isPoint);
    metadata = await readGdalMetadata(tiff, image);
    noData = await readNoData(tiff, image);
    for (const directory of others.slice(0, maxImages)) images.push(await readImage(tiff, directory));
    cogFaults = (await checkCogLayout(tiff, images)).faults;
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    cogFaults = [error.message];
    issues.add('damagedFile', damage(file, error.message));
  }
  return { tiff, images, keys, transform, metadata, noData, cogFaults };
}
