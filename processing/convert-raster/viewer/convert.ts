import { join } from 'node:path';
import { JobFailure, type JobContext, type JobResult } from '../../job-type.ts';
import { rgbOf } from '@platen/geo/raster/halve-pixels';
import { requireImageCodec } from '../../kit/images/image-codec.ts';
import { createStopwatch } from '../../kit/stopwatch.ts';
import type { Conversion } from '../conversion.ts';
import { makePyramid, type PixelMaker } from '../pyramid/make-pyramid.ts';
import { levelsOf, type RasterShape } from '../pyramid/raster-shape.ts';
import { writeFile } from '../pyramid/write-file.ts';
import { findColours, type FoundColours } from '../../raster-source/find-colours.ts';
import { boxAround, outermostSheets, warnIfFarApart } from '../../raster-source/far-apart.ts';
import { findMosaicSheets } from '../../raster-source/find-sheets.ts';
import {
  degreesOf,
  frameOf,
  tileSide,
  zoomOf,
  type MercatorFrame,
} from '../../raster-source/mercator-frame.ts';
import { openTilePacker } from './pack-tiles.ts';
import { createUnitReader } from './read-unit.ts';
import { openSheetPixels } from '../../raster-source/sheet-pixels.ts';
import { rejectBroken } from '../../raster-source/reject-sheets.ts';
import { openSheetReader } from '../../raster-source/read-sheets.ts';
import { mercatorTags, tileTags } from './tags.ts';
import type { MosaicSheet } from '../../raster-source/mosaic-sheet.ts';

/** Tiles of a unit are encoded by one call. */
const unitSide = 8 * tileSide;
const maxTiles = 4e6;

/** Makes imagery that maps show, of sheets in any coordinate system. */
export async function convertForViewer(conversion: Conversion, context: JobContext): Promise<JobResult> {
  const { settings, memory, folder, checkpoint, name } = conversion;
  const { workers, pendingBytes } = memory;
  const watch = createStopwatch(context);
  const codec = await requireImageCodec(workers);
  const { strict, bands, mask, resampling } = settings;
  const { sheetBytes } = memory;
  const found = await findMosaicSheets(context.inputs, { strict, bands, mask, sheetBytes }, context);
  const frame = chooseFrame(found, context);
  const { format, quality } = settings;
  const shape = shapeOf(frame, { hasMask: format === 'jpeg', isNearest: resampling === 'mode' });
  watch.lap('plan', { sheets: found.length, zoom: frame.zoom, width: frame.width, height: frame.height });
  const packer = await openTilePacker(codec, unitSide, { format, quality, side: tileSide });
  const reader = openSheetReader(found, codec, sheetBytes);
  try {
    const { sheets, legend } = await findColours(found, reader, { settings, context });
    const { collar, feather } = mask;
    const collarPath = join(folder, `collar-${checkpoint.attempt}`);
    const pixels = openSheetPixels({ sheets, reader, collar, collarPath });
    const broken = new Map<string, string>();
    const onBroken = ({ name }: MosaicSheet, { message }: JobFailure) => broken.set(name, message);
    const canLeaveOut = !strict && sheets.length > 1;
    const mosaic = { sheets, reader, pixels, resampling, feather, ...(canLeaveOut && { onBroken }) };
    const readUnit = createUnitReader(mosaic, { frame, unitSide, collar, signal: context.signal });
    const maker: PixelMaker = {
      read: readUnit,
      pack: (square, extent) => packer.pack(square && rgbOf(square, unitSide), extent),
      broken,
    };
    const job = {
      shape,
      maker,
      folder,
      checkpoint,
      workers,
      pendingBytes,
    };
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
    return resultOf(found, { conversion, frame, shape, legend });
  } finally {
    await reader.close();
  }
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
