import { packBlock } from '@platen/formats/geotiff/pack-block';
import type { PixelSquare } from '@platen/geo/raster/halve-pixels';
import { JobFailure, type JobContext, type JobResult } from '../../job-type.ts';
import { createStopwatch } from '../../kit/stopwatch.ts';
import { planAnalysisMemory, type RasterMemory } from '../memory.ts';
import { makePyramid, type PackedUnit, type PixelMaker } from '../pyramid/make-pyramid.ts';
import type { Conversion } from '../conversion.ts';
import { emptySquare } from '../pyramid/square-pool.ts';
import { levelsOf, type RasterShape } from '../pyramid/raster-shape.ts';
import { writeFile } from '../pyramid/write-file.ts';
import type { Settings } from '../settings.ts';
import { boxOfMosaic } from './box-of-mosaic.ts';
import { blockFormOf, imageTags, placeTags, shapeOf } from './form.ts';
import { placeOnOneGrid, type Mosaic } from './one-grid.ts';
import { openSheet } from '../../raster-source/open-sheet.ts';
import type { RasterSheet } from '../../raster-source/raster-sheet.ts';
import { openMosaic } from './read-mosaic.ts';
import { brokenSheet } from '../../raster-source/broken-sheet.ts';
import { rejectInput } from '../../raster-source/reject-sheets.ts';

/** Makes one file of sheets, with every number as it is. */
export async function convertForAnalysis(
  { settings, budgetBytes, maxWorkers, folder, checkpoint, name }: Conversion,
  context: JobContext,
): Promise<JobResult> {
  const memory = planAnalysisMemory(budgetBytes, maxWorkers);
  const watch = createStopwatch(context);
  const mosaic = placeOnOneGrid(await findSheets(settings, memory, context));
  const shape = shapeOf(mosaic, memory.squareBytes);
  const form = blockFormOf(mosaic, shape, settings.compression);
  watch.lap('plan', { sheets: mosaic.sheets.length, width: mosaic.width, height: mosaic.height });
  const broken = new Map<string, string>();
  const onBroken = (name: string, { message }: JobFailure) => broken.set(name, message);
  const canLeaveOut = !settings.strict && mosaic.sheets.length > 1;
  const reader = openMosaic(mosaic, shape, memory.sheetBytes, canLeaveOut ? onBroken : undefined);
  const maker: PixelMaker = {
    read: (place, take) => reader.read(place, take),
    pack: (square) => pack(square, shape, form),
    broken,
  };
  const { workers, pendingBytes } = memory;
  const made = await makePyramid(
    { shape, maker, folder, checkpoint, workers, pendingBytes },
    context,
  ).finally(() => reader.close());
  watch.lap('read', { levels: made.levels.length });
  const tags = { tags: imageTags(mosaic, form), imageTags: placeTags(mosaic) };
  const { size } = await writeFile({ name, shape, ...tags }, made, context);
  made.log.close();
  watch.lap('write', { size });
  for (const input of context.inputs) {
    const reason = broken.get(input.name);
    if (reason !== undefined) await rejectInput(input, reason, context);
  }
  const bbox = boxOfMosaic(mosaic, context);
  return {
    datasource: {
      type: 'generic',
      path: name,
      ...(bbox && { bbox }),
      typeProperties: {},
      properties: { ...describe(mosaic, shape), compression: settings.compression },
    },
  };
}

async function findSheets(
  { strict }: Settings,
  { sheetBytes }: RasterMemory,
  context: JobContext,
): Promise<RasterSheet[]> {
  const { inputs } = context;
  const sheets: RasterSheet[] = [];
  let failure: JobFailure | undefined;
  for (const input of inputs) {
    context.signal.throwIfAborted();
    try {
      const sheet = await openSheet(input);
      checkBlockSize(sheet, sheetBytes);
      sheets.push(sheet);
    } catch (error) {
      const cause = brokenSheet(input.name, error);
      if (!(cause instanceof JobFailure) || strict || inputs.length === 1) throw cause;
      failure = cause;
      await rejectInput(input, cause.message, context);
    }
  }
  if (sheets.length === 0) throw failure ?? new JobFailure('emptyInput', 'The job has no input file.');
  return sheets;
}

/** A file of one strip, or one that lies, would need all of the memory at once. */
function checkBlockSize({ name, blockBytes }: RasterSheet, sheetBytes: number): void {
  if (blockBytes <= sheetBytes) return;
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;
  throw new JobFailure(
    'tooLarge',
    `${name} is stored in blocks of ${megabytes(blockBytes)}, but there is memory for blocks of ${megabytes(sheetBytes)}. Give the job more (processing.memoryMegabytes), or divide the file: gdal_translate -co TILED=YES ${name} out.tif`,
  );
}

async function pack(
  square: PixelSquare | undefined,
  shape: RasterShape,
  form: Parameters<typeof packBlock>[1],
): Promise<PackedUnit> {
  if (!square && !shape.hasMask) return { images: [undefined] };
  const { samples, mask } = square ?? emptySquare(shape);
  const image = await packBlock(samples, form);
  if (!mask) return { images: [image] };
  const maskForm = {
    width: shape.unitSide,
    bands: 1,
    bits: 1,
    compression: 'deflate',
    predictor: 1,
  } as const;
  return { images: [image], masks: [await packBlock(mask, maskForm)] };
}

/** For the page of the datasource. */
function describe({ width, height, sheets }: Mosaic, shape: RasterShape): Record<string, unknown> {
  const { crs } = sheets[0]!.sheet;
  return {
    width,
    height,
    bands: shape.meaning.bands,
    sampleType: shape.sampleType,
    overviews: levelsOf(shape).length - 1,
    sheetCount: sheets.length,
    ...(crs.text !== undefined && { crs: crs.text }),
    ...(shape.meaning.noData !== undefined && { noData: String(shape.meaning.noData) }),
  };
}
