import { setImmediate } from 'node:timers/promises';
import { isWithin } from '@platen/formats/crs/area';
import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { openFileSync } from '@platen/formats/bytes/open-file-sync';
import { isTiff } from '@platen/formats/geotiff/read-tiff';
import { readImageHeader } from '@platen/formats/image/read-header';
import type { GeoTransform } from '@platen/formats/geotiff/geo-transform';
import { imageToConvert } from '@platen/formats/open/recognise-binary';
import { isJpeg2000 } from '@platen/formats/jpeg2000/read-boxes';
import { JobFailure, type JobContext, type JobInput } from '../job-type.ts';
import { brokenSheet } from './broken-sheet.ts';
import { openMaskFile, openSheet } from './open-sheet.ts';
import type { RasterPixels } from './raster-sheet.ts';
import { colourPlanOf, colourPlanOfPicture, type ShownSheets } from './colour-plan.ts';
import { degreesOf, type MercatorBox } from './mercator-frame.ts';
import { boxInMercator, metresInMercator } from './place-sheet.ts';
import type { KnownSheets } from './known-sheets.ts';
import { rejectInput } from './reject-sheets.ts';
import { crsNamed } from './sheet-header.ts';
import { readSidecarPlace, type SidecarPlace } from './sidecars.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';

export interface SheetOptions extends ShownSheets {
  /** Fails for a sheet that cannot be read. */
  readonly strict: boolean;
  /** For an unpacked block, or a whole picture. */
  readonly sheetBytes: number;
  /** Of the run that is updated. */
  readonly known?: KnownSheets;
}

/** Headers are read without pauses; after so many, the job sees whether it was ended. */
const sheetsAtOnce = 64;

/** Of the names of images. */
export const imageEndings = /\.(?:tiff?|gtiff|btf|jpe?g|png|webp|jp2|j2k|j2c|jpx|jpf)$/i;

/**
 * Opens all sheets once, to see where they are. Those that cannot be read are left out with a warning.
 * @returns them in the order in which they count: finer ones first, and among those the last input. @throws JobFailure
 */
export async function findMosaicSheets(
  inputs: readonly JobInput[],
  options: SheetOptions,
  context: JobContext,
): Promise<MosaicSheet[]> {
  const sheets: MosaicSheet[] = [];
  let failure: JobFailure | undefined;
  for (const [number, input] of inputs.entries()) {
    if (number % sheetsAtOnce === 0) await setImmediate();
    context.signal.throwIfAborted();
    try {
      sheets.push(await findSheet(input, options, context));
    } catch (error) {
      const cause = brokenSheet(input.name, error);
      if (!(cause instanceof JobFailure) || options.strict || inputs.length === 1) throw cause;
      failure = cause;
      await rejectInput(input, cause.message, context);
    }
  }
  if (sheets.length === 0) throw failure ?? new JobFailure('emptyInput', 'The job has no input file.');
  // of sizes that differ only by rounding, the later input counts
  const sizeOf = ({ metres }: MosaicSheet): number => Math.round(Math.log2(metres) * 16);
  return sheets.toReversed().toSorted((a, b) => sizeOf(a) - sizeOf(b));
}

async function findSheet(input: JobInput, options: SheetOptions, context: JobContext): Promise<MosaicSheet> {
  const { known, sheetBytes } = options;
  const former = known?.find(input);
  if (former && unpackedBytes(former) <= sheetBytes) return former;
  let isSilent = true;
  const warn: JobContext['warn'] = (...warning) => {
    isSilent = false;
    context.warn(...warning);
  };
  const sheet = await describe(input, { ...options, context: { ...context, warn } });
  // what is to be said of a sheet is said again by each run
  return (isSilent && known?.add(input, sheet)) || sheet;
}

/** Of a block, or a whole picture. */
function unpackedBytes({ raster, width, height }: Pick<MosaicSheet, 'raster' | 'width' | 'height'>): number {
  return raster ? raster.blockBytes : width * height * 4;
}

interface SheetTask extends SheetOptions {
  readonly context: JobContext;
}

async function describe(input: JobInput, task: SheetTask): Promise<MosaicSheet> {
  const { name, path } = input;
  const { sheetBytes, context } = task;
  const file = openFileSync(path);
  try {
    const side = await readSidecarPlace(input);
    const head = await file.read(0, 12);
    if (isTiff(head) || isJpeg2000(head)) {
      const { crs: _crs, ...plain } = input;
      const whole = await openSheet(plain);
      const {
        meaningTags: _meaning,
        placeTags: _place,
        crsTags: _crsTags,
        textTags: _texts,
        ...raster
      } = whole;
      if (raster.blockBytes > sheetBytes) throw tooLarge(name, raster.blockBytes);
      const place = placeOf(input, side, raster);
      const colours = colourPlanOf(whole, { ...task, classColours: side.classColours });
      const { width, height } = raster;
      const isNearest = colours.palette !== undefined || raster.bits === 1;
      const names = colours.palette && side.classNames;
      const classes = names && { classNames: names };
      return finish({ name, path, width, height, ...place, raster, colours, isNearest, ...classes }, context);
    }
    const header = await readImageHeader(file);
    if (!header || header.width === 0) throw notRecognised(name, head);
    const { width, height } = header;
    if (width * height * 4 > sheetBytes) throw tooLarge(name, width * height * 4);
    const place = placeOf(input, side, undefined);
    const maskPath = input.related?.['msk'];
    const mask = maskPath === undefined ? undefined : await openMaskFile(maskPath, { name, width, height });
    const sheet = { name, path, width, height, ...place, raster: undefined, mask };
    return finish({ ...sheet, colours: colourPlanOfPicture(name, task), isNearest: false }, context);
  } finally {
    await file.close();
  }
}

function finish(
  sheet: Omit<MosaicSheet, 'box' | 'metres' | 'crs'> & { readonly crs: Crs; readonly crsText: string },
  { warn }: JobContext,
): MosaicSheet {
  const { crsText, ...placed } = sheet;
  const { box, isCut } = boxInMercator(sheet);
  if (isCut)
    warn(
      'cutSheet',
      `${sheet.name} continues beyond 85° or 180°, where web maps end. That part is left out.`,
      { file: sheet.name },
    );
  warnOutsideArea(sheet, box, warn);
  return { ...placed, crs: crsText, box, metres: metresInMercator(sheet) };
}

/** Degrees that data may lie beyond the area of use of its coordinate system. */
const areaMargin = 2;
const nearlyZero = 1e-6;

/** A sheet at the origin of coordinates, or with exchanged axes, lies far from where its coordinate system is used. */
function warnOutsideArea(
  { name, crs }: { readonly name: string; readonly crs: Crs },
  box: MercatorBox,
  warn: JobContext['warn'],
): void {
  const [west, south, east, north] = degreesOf(box);
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  const isAtZero = (low: number, high: number): boolean => low <= nearlyZero && high >= -nearlyZero;
  const isNowhere = isAtZero(west, east) && isAtZero(south, north) && east - west < 1;
  if (!isNowhere && (crs.area === undefined || isWithin(crs.area, [lon, lat], areaMargin))) return;
  warn(
    'outsideCrsArea',
    `${name} is at ${lat.toFixed(3)}° of latitude and ${lon.toFixed(3)}° of longitude, ${isNowhere ? 'where coordinates are 0' : `outside of the area of use of ${crs.name}`}. Check its georeference, whose axes may be exchanged, and the coordinate system of the input.`,
    { file: name },
  );
}

function placeOf(
  { name, crs }: JobInput,
  side: SidecarPlace,
  raster: RasterPixels | undefined,
): { readonly crs: Crs; readonly crsText: string; readonly matrix: GeoTransform['matrix'] } {
  const matrix = raster?.matrix ?? side.transform?.matrix;
  if (matrix === undefined && side.damaged !== undefined)
    throw new JobFailure(
      'invalidCoordinates',
      `The world file of ${name} (.${side.damaged}) does not say where it is: it must contain six numbers, and pixels that are wider and higher than 0. Write it again, and upload it with the image.`,
    );
  if (matrix === undefined)
    throw new JobFailure(
      'invalidCoordinates',
      `${name} does not say where it is. Add its world file or .aux.xml to the inputs, or georeference it (gdal_edit.py, or gdalwarp if it has control points), and upload the result.`,
    );
  const text = crs ?? raster?.crs.text ?? side.crs;
  if (text === undefined)
    throw new JobFailure(
      'unknownCrs',
      `${name} does not say in which coordinate system it is. Set the coordinate system of the input in the task, such as EPSG:25832.`,
    );
  try {
    return { crs: crsNamed(text) ?? findCrs(text), crsText: text, matrix };
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    throw new JobFailure('unknownCrs', `${name}: ${error.message}`, { cause: error });
  }
}

function notRecognised(name: string, head: Uint8Array): JobFailure {
  const other = imageToConvert(Buffer.from(head), name);
  if (other !== undefined)
    return new JobFailure(
      'unsupported',
      `${name} is ${other}, which is not read here. Convert it: gdal_translate -co COMPRESS=DEFLATE ${name} out.tif`,
    );
  return new JobFailure(
    'notRecognised',
    `${name} is no image that is read here. Use GeoTIFF, JPEG 2000, or JPEG, PNG or WebP with a world file.`,
  );
}

function tooLarge(name: string, bytes: number): JobFailure {
  return new JobFailure(
    'tooLarge',
    `${name} is stored in blocks of ${Math.ceil(bytes / 2 ** 20)} MB, which do not fit into the memory of the job. Give it more (processing.memoryMegabytes), or divide the file: gdal_translate -co TILED=YES ${name} out.tif`,
  );
}
