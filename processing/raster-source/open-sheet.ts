import { BytesError } from '@platen/formats/bytes/bytes';
import { findCrs } from '@platen/formats/crs/find-crs';
import { openFileSync } from '@platen/formats/bytes/open-file-sync';
import { crsOfKeys } from '@platen/formats/geotiff/geo-crs';
import { geoKey, readGeoKeys } from '@platen/formats/geotiff/geo-keys';
import { readGeoTransform } from '@platen/formats/geotiff/geo-transform';
import { sampleArrayOf } from '@platen/formats/geotiff/block-samples';
import {
  isPictureImage,
  isYCbCrImage,
  readImage,
  readNoData,
  type TiffImage,
} from '@platen/formats/geotiff/read-image';
import { isTiff, numbersOf, readTiff, textOf, type Tiff } from '@platen/formats/geotiff/read-tiff';
import { compressionName, photometric, photometricName, tag } from '@platen/formats/geotiff/tags';
import { tagType, type WrittenTag } from '@platen/formats/geotiff/write-directory';
import { isJpeg2000 } from '@platen/formats/jpeg2000/read-boxes';
import { JobFailure, type JobInput } from '../job-type.ts';
import { bytesPerSample, samplesOf, type SampleType } from './sample-type.ts';
import { copyTags } from './copy-tags.ts';
import { openJpeg2000Sheet } from './jpeg2000-sheet.ts';
import type { RasterSheet, SheetPart } from './raster-sheet.ts';
import { openSheetBlocks } from './sheet-blocks.ts';

const rasterIsPoint = 2;
const sampleFormats = { uint: 1, int: 2, float: 3, void: 4, complex: 5 } as const;

/** Image description, software, date, artist, copyright, XMP, ICC profile, IPTC. */
const textIds = [270, 305, 306, 315, 33_432, 700, 34_675, 33_723];

/** @throws JobFailure; BytesError where a file is damaged */
export async function openSheet(input: JobInput): Promise<RasterSheet> {
  const { name, path } = input;
  const bytes = openFileSync(path);
  try {
    const head = await bytes.read(0, 12);
    if (isJpeg2000(head)) return await openJpeg2000Sheet(bytes, input);
    if (!isTiff(head))
      throw new JobFailure(
        'notRecognised',
        `${name} is neither a GeoTIFF nor JPEG 2000, and only those are converted for analysis. Convert it first (gdal_translate ${name} out.tif), or choose for: viewer.`,
      );
    const tiff = await readTiff(bytes);
    if (tiff.fault !== undefined) throw new BytesError(tiff.fault);
    const sheet = await describe(tiff, input);
    const path = input.related?.['msk'];
    return sheet.mask || path === undefined ? sheet : { ...sheet, mask: await openMaskFile(path, sheet) };
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
  return {
    name,
    path,
    width: image.width,
    height: image.height,
    bands: image.bands,
    bits: sampleType === 'uint8' ? image.bits : bytesPerSample(sampleType) * 8,
    sampleType,
    sampleFormat: sampleFormats[image.sampleFormat],
    photometric: isShownAsRgb(image) ? photometric.rgb : image.photometric,
    extraSamples: [...(await numbersOf(tiff, directory, tag.extraSamples, { count: 4096 }))],
    alphaBand: image.alphaBand,
    noDataText: await textOf(tiff, directory, tag.gdalNoData),
    noData: storedNoData(await readNoData(tiff, image), sampleType),
    matrix: transform?.isApproximate === false ? transform.matrix : undefined,
    crs: crsOfKeys(keys),
    mask: internalMask(path, await findMask(tiff, image)),
    blockWidth: image.blockWidth,
    blockHeight: image.blockHeight,
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

/** Whether what is read of it has other colours than it stores. */
function isShownAsRgb(image: TiffImage): boolean {
  const areInks = image.photometric === photometric.cmyk;
  return image.bands >= 3 && !areInks && (isPictureImage(image) || isYCbCrImage(image));
}

async function sampleTypeOf(tiff: Tiff, image: TiffImage, name: string): Promise<SampleType> {
  const type = sampleArrayOf(image);
  if (type !== undefined && (await openSheetBlocks(tiff, image)) !== undefined) return type;
  const { sampleFormat, bits, bands, predictor } = image;
  const what =
    type === undefined
      ? `its ${bits}-bit ${sampleFormat} numbers are`
      : `its compression (${compressionName(image.compression)}, predictor ${predictor}, ${bands} bands of ${bits} bits, ${photometricName(image.photometric)}) is`;
  throw new JobFailure(
    'unsupported',
    `${name} cannot be read: ${what} not known here. Convert it: gdal_translate -co COMPRESS=DEFLATE${type === undefined ? ' -ot Float64' : ''} ${name} out.tif`,
  );
}

/** A number that no sample can be stands for nothing. */
function storedNoData(value: number | undefined, type: SampleType): number | undefined {
  if (value === undefined) return undefined;
  const stored = samplesOf(type, 1);
  stored[0] = value;
  return type.startsWith('float') || stored[0] === value ? value : undefined;
}

function internalMask(path: string, directory: number | undefined): SheetPart | undefined {
  return directory === undefined ? undefined : { path, directory };
}

async function findMask(
  tiff: Tiff,
  { width, height }: Pick<TiffImage, 'width' | 'height'>,
  from = 1,
): Promise<number | undefined> {
  for (const [number, directory] of tiff.directories.entries()) {
    if (number < from) continue;
    const one = await readImage(tiff, directory);
    if (one.isOverview || one.width !== width || one.height !== height) continue;
    if (one.isMask || from === 0) return number;
  }
  return undefined;
}

/** The mask of an image in a file of its own, whose first image of that size it is. @throws BytesError, JobFailure */
export async function openMaskFile(
  path: string,
  size: { readonly name: string; readonly width: number; readonly height: number },
): Promise<SheetPart> {
  const bytes = openFileSync(path);
  try {
    const tiff = await readTiff(bytes);
    const directory = await findMask(tiff, size, 0);
    const image = directory === undefined ? undefined : await readImage(tiff, tiff.directories[directory]!);
    if (image && (await openSheetBlocks(tiff, image))) return { path, directory: directory! };
  } finally {
    await bytes.close();
  }
  throw new JobFailure(
    'unsupported',
    `The mask beside ${size.name} (${size.name}.msk) is not of the same size, or stored in a way that is not read here. Remove it, or put it into the image: gdal_translate --config GDAL_TIFF_INTERNAL_MASK YES ${size.name} out.tif`,
  );
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
