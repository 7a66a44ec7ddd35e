import { join } from 'node:path';
import { JobFailure, type JobContext, type JobResult } from '../../job-type.ts';
import { rgbOf } from '@platen/geo/raster/halve-pixels';
import { requireImageCodec, type ImageCodec } from '../../kit/images/image-codec.ts';
import { createStopwatch } from '../../kit/stopwatch.ts';
import type { Conversion } from '../conversion.ts';
import { planViewerMemory, type RasterMemory } from '../memory.ts';
import { makePyramid, type PixelMaker } from '../pyramid/make-pyramid.ts';
import { levelsOf, type Level, type RasterShape } from '../pyramid/raster-shape.ts';
import { writeFile } from '../pyramid/write-file.ts';
import { findColours, type FoundColours } from '../../raster-source/find-colours.ts';
import { boxAround, outermostSheets, warnIfFarApart } from '../../raster-source/far-apart.ts';
import { findMosaicSheets } from '../../raster-source/find-sheets.ts';
import {
  crosses180,
  degreesOf,
  frameOf,
  tileSide,
  zoomOf,
  type MercatorFrame,
} from '../../raster-source/mercator-frame.ts';
import { openTilePacker } from './pack-tiles.ts';
import { openUnits } from './open-units.ts';
import { rejectBroken } from '../../raster-source/reject-sheets.ts';
import { openSheetReader } from '../../raster-source/read-sheets.ts';
import { mercatorTags, tileTags } from './tags.ts';
import type { MosaicSheet } from '../../raster-source/mosaic-sheet.ts';

/** Tiles of a unit are encoded by one call. */
const unitSide = 8 * tileSide;
/** Its colours, and alpha. */
const bytesPerPixel = 4;
const maxTiles = 4e6;

/** Makes imagery that maps show, of sheets in any coordinate system. */
export async function convertForViewer(conversion: Conversion, context: JobContext): Promise<JobResult> {
  const { settings, budgetBytes, maxWorkers, folder, checkpoint, name } = conversion;
  const squareBytes = unitSide ** 2 * bytesPerPixel;
  const memory = planViewerMemory(budgetBytes, maxWorkers, squareBytes);
  const { workers, pendingBytes, sheetBytes } = memory;
  const watch = createStopwatch(context);
  const codec = await requireImageCodec(workers);
  const { sheets, legend } = await findSheets(conversion, { memory, codec, context });
  const frame = chooseFrame(sheets, context);
  const { format, quality, resampling } = settings;
  const shape = shapeOf(frame, { hasMask: format === 'jpeg', isNearest: resampling === 'mode' });
  watch.lap('plan', { sheets: sheets.length, zoom: frame.zoom, width: frame.width, height: frame.height });
  const packer = await openTilePacker(codec, unitSide, { format, quality, side: tileSide });
  const collarPath = join(folder, `collar-${checkpoint.attempt}`);
  const setup = { sheets, settings, frame, unitSide, sheetBytes, collarPath };
  const threads = threadsFor(levelsOf(shape)[0]!, { asked: settings.workers, workers });
  const broken = new Map<string, string>();
  const units = await openUnits(setup, { threads, signal: context.signal, broken });
  try {
    const maker: PixelMaker = {
      read: units.read,
      pack: (square, extent) => packer.pack(square && rgbOf(square, unitSide), extent),
      broken,
    };
    // one more than there are threads, so that none waits for this one
    const readsAtOnce = threads === 1 ? 1 : threads + 1;
    const job = { shape, maker, folder, checkpoint, workers, readsAtOnce, pendingBytes };
    const made = await makePyramid(job, context);
    watch.lap('read', { levels: made.levels.length });
    const tags = { tags: tileTags(format, packer.tables), imageTags: mercatorTags(frame) };
    const { size } = await writeFile({ name, shape, ...tags }, made, context);
    made.log.close();
    watch.lap('write', { size });
    rejectBroken(
      broken,
      sheets.map(({ name, box }) => ({ name, box: degreesOf(box) })),
      context,
    );
    return resultOf(sheets, { conversion, frame, shape, legend });
  } finally {
    await units.close();
  }
}

interface Tools {
  readonly memory: RasterMemory;
  readonly codec: ImageCodec;
  readonly context: JobContext;
}

/** All sheets, and how their numbers become colours. @throws JobFailure */
async function findSheets(
  { settings }: Conversion,
  { memory: { sheetBytes }, codec, context }: Tools,
): Promise<FoundColours> {
  const { strict, bands, mask } = settings;
  const found = await findMosaicSheets(context.inputs, { strict, bands, mask, sheetBytes }, context);
  const reader = openSheetReader(found, codec, sheetBytes);
  try {
    return await findColours(found, reader, { settings, context });
  } finally {
    await reader.close();
  }
}

/** Threads take longer to start than to make fewer units than these. */
const minUnitsOfThreads = 4;

function threadsFor(
  { columns, rows }: Level,
  { asked, workers }: { readonly asked: number | undefined; readonly workers: number },
): number {
  const units = columns * rows;
  return asked === undefined && units < minUnitsOfThreads ? 1 : Math.min(workers, units);
}

function shapeOf(
  { width, height }: MercatorFrame,
  { hasMask, isNearest }: { readonly hasMask: boolean; readonly isNearest: boolean },
): RasterShape {
  const meaning = { bands: 3, isNearest, noData: undefined, alphaBand: undefined, hasAlphaPlane: true };
  return {
    width,
    height,
    blockSide: tileSide,
    unitSide,
    meaning,
    hasMask,
    sampleType: 'uint8',
  };
}

/** As fine as the finest sheet, and around all of them. @throws JobFailure */
function chooseFrame(sheets: readonly MosaicSheet[], context: JobContext): MercatorFrame {
  const zoom = zoomOf(Math.min(...sheets.map(({ metres }) => metres)));
  const across = sheets.find(({ box }) => crosses180(box));
  if (across)
    throw new JobFailure(
      'unsupported',
      `${across.name} crosses 180° of longitude, where an image for web maps begins and ends. Make image tiles of it, or convert it for analysis.`,
    );
  const frame = frameOf(boxAround(sheets), zoom);
  const tiles = (frame.width / tileSide) * (frame.height / tileSide);
  if (tiles > maxTiles)
    throw new JobFailure(
      'tooLarge',
      `The image would have ${frame.width} × ${frame.height} pixels, which is more than a job makes. ${outermostSheets(sheets)} Convert sheets that are far apart, or of very different pixel sizes, in tasks of their own.`,
    );
  warnIfFarApart(sheets, context, (factor) => `The image has ${factor} times as many pixels as they need.`);
  return frame;
}

interface Made {
  readonly conversion: Conversion;
  readonly frame: MercatorFrame;
  readonly shape: RasterShape;
  readonly legend: FoundColours['legend'];
}

function resultOf(sheets: readonly MosaicSheet[], { conversion, frame, shape, legend }: Made): JobResult {
  const { settings, name } = conversion;
  const bbox = degreesOf(boxAround(sheets));
  const extent = { type: 'Extent', coordinates: bbox, projection: { type: 'Projection', epsg: 4326 } };
  return {
    datasource: {
      type: 'cog',
      path: name,
      bbox,
      typeProperties: { extent },
      properties: {
        maxZoom: frame.zoom,
        width: frame.width,
        height: frame.height,
        overviews: levelsOf(shape).length - 1,
        sheetCount: sheets.length,
        format: settings.format,
        ...(legend && { legend }),
        ...(settings.attribution !== undefined && { attribution: settings.attribution }),
      },
    },
  };
}
