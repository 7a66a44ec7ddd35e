import { BytesError } from '@platen/formats/bytes/bytes';
import { findCrs } from '@platen/formats/crs/find-crs';
import { openFile } from '@platen/formats/bytes/open-file';
import { crsOfKeys } from '@platen/formats/geotiff/geo-crs';
import { geoKey, readGeoKeys } from '@platen/formats/geotiff/geo-keys';
import { readGeoTransform } from '@platen/formats/geotiff/geo-transform';
import { readImage, readNoData, type TiffImage } from '@platen/formats/geotiff/read-image';
import { isTiff, numbersOf, readTiff, textOf, type Tiff } from '@platen/formats/geotiff/read-tiff';
import { compression, compressionName, photometric, tag } from '@platen/formats/geotiff/tags';
import { tagType, type WrittenTag } from '@platen/formats/geotiff/write-directory';
import { JobFailure, type JobInput } from '../job-type.ts';
import { isSampleType, samplesOf, type SampleType } from './sample-type.ts';
import { copyTags } from './copy-tags.ts';
import type { RasterSheet } from './raster-sheet.ts';
import { openSheetBlocks } from './sheet-blocks.ts';

const rasterIsPoint = 2;
const sampleFormats = { uint: 1, int: 2, float: 3, void: 4, complex: 5 } as const;

/** Image description, software, date, artist, copyright, XMP, ICC profile, IPTC. */
const textIds = [270, 305, 306, 315, 33_432, 700, 34_675, 33_723];

/** @throws JobFailure; BytesError where the file is damaged */
export async function openSheet(input: JobInput): Promise<RasterSheet> {
  const { name, path } = input;
  const bytes = await openFile(path);
  try {
    if (!isTiff(await bytes.read(0, 4)))
      throw new JobFailure(
        'notRecognised',
        `${name} is not a GeoTIFF, and only those are converted for analysis. Convert it first (gdal_translate ${name} out.tif), or choose for: viewer.`,
      );
    const tiff = await readTiff(bytes);
    if (tiff.fault !== undefined) throw new BytesError(tiff.fault);
    return await describe(tiff, input);
  } finally {
    await bytes.close();
  }
}

async function describe(tiff: Tiff, input: JobInput): Promise<RasterSheet> {
  const { name, path } = input;
  const directory = tiff.directories[0]!;
  const image = await readImage(tiff, directory);
  const sampleType = await sampleTypeOf(tiff, image, name);
  const keys = await readGeoKeys(tiff, directory);
  const transform = await readGeoTransform(tiff, image, keys.number(geoKey.rasterType) === rasterIsPoint);
  const isPicture = image.compression === compression.jpeg || image.compression === compression.webp;
  return {
    name,
    path,
    width: image.width,
    height: image.height,
    bands: image.bands,
    bits: image.bits,
    sampleType,
    sampleFormat: sampleFormats[image.sampleFormat],
    photometric: isPicture && image.bands >= 3 ? photometric.rgb : image.photometric,
    extraSamples: [...(await numbersOf(tiff, directory, tag.extraSamples, { count: 4096 }))],
    alphaBand: image.alphaBand,
    noDataText: await textOf(tiff, directory, tag.gdalNoData),
    noData: storedNoData(await readNoData(tiff, image), sampleType),
    matrix: transform?.isApproximate === false ? transform.matrix : undefined,
    crs: crsOfKeys(keys),
    maskDirectory: await findMask(tiff, image),
    blockBytes: (image.blockWidth * image.blockHeight * image.bands * image.bits) / 8,
    meaningTags: await copyTags(tiff, [tag.colourMap, tag.gdalNoData]),
    placeTags: await copyTags(tiff, [
      tag.pixelScale,
      tag.tiepoints,
      tag.transformation,
      tag.rationalCoefficients,
    ]),
    crsTags: await crsTagsOf(tiff, input, keys.number(geoKey.rasterType)),
    textTags: await copyTags(tiff, [...textIds, tag.gdalMetadata]),
  };
}

async function sampleTypeOf(tiff: Tiff, image: TiffImage, name: string): Promise<SampleType> {
  const { sampleFormat, bits, photometric: colours } = image;
  const type = bits === 1 ? 'uint8' : `${sampleFormat === 'void' ? 'uint' : sampleFormat}${bits}`;
  const isPicture = image.compression === compression.jpeg || image.compression === compression.webp;
  const what = isSampleType(type)
    ? `its compression (${compressionName(image.compression)})`
    : `its ${bits}-bit ${sampleFormat} numbers`;
  const isRead = isSampleType(type) && (await openSheetBlocks(tiff, image)) !== undefined;
  const isMixed = colours === photometric.yCbCr && !isPicture;
  if (isRead && !isMixed) return type;
  throw new JobFailure(
    'unsupported',
    `${name} cannot be read: ${isMixed ? 'its colours (YCbCr without JPEG)' : what} are not known here. Convert it: gdal_translate -co COMPRESS=DEFLATE${isSampleType(type) ? '' : ' -ot Float64'} ${name} out.tif`,
  );
}

/** A number that no sample can be stands for nothing. */
function storedNoData(value: number | undefined, type: SampleType): number | undefined {
  if (value === undefined) return undefined;
  const stored = samplesOf(type, 1);
  stored[0] = value;
  const isFloat = type.startsWith('float');
  return isFloat || stored[0] === value ? stored[0] : undefined;
}

async function findMask(tiff: Tiff, { width, height }: TiffImage): Promise<number | undefined> {
  for (const [number, directory] of tiff.directories.entries()) {
    if (number === 0) continue;
    const one = await readImage(tiff, directory);
    if (one.isMask && !one.isOverview && one.width === width && one.height === height) return number;
  }
  return undefined;
}

/** The keys of the file, or those of the coordinate system that the task names instead. */
async function crsTagsOf(tiff: Tiff, { name, crs }: JobInput, rasterType = 1): Promise<WrittenTag[]> {
  if (crs === undefined) return copyTags(tiff, [tag.geoKeys, tag.geoDoubles, tag.geoTexts]);
  const code = /^EPSG:(\d{4,5})$/i.exec(crs)?.[1];
  if (code === undefined)
    throw new JobFailure(
      'unknownCrs',
      `${name}: only coordinate systems with an EPSG code can be written into it, not ${crs}. Choose one, such as EPSG:25832.`,
    );
  const isGeographic = findCrs(crs).kind === 'lonLat' || findCrs(crs).kind === 'geographic';
  const own = isGeographic ? geoKey.geographicCrs : geoKey.projectedCrs;
  const keys = [
    [geoKey.modelType, isGeographic ? 2 : 1],
    [geoKey.rasterType, rasterType],
    [own, Number(code)],
  ] as const;
  const shorts = [1, 1, 0, keys.length, ...keys.flatMap(([key, value]) => [key, 0, 1, value])];
  return [{ id: tag.geoKeys, type: tagType.short, values: shorts }];
}
