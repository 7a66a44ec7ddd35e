import { compression, photometric, tag } from '@platen/formats/geotiff/tags';
import { tagType, type WrittenTag } from '@platen/formats/geotiff/write-directory';
import type { BlockForm, LosslessCompression } from '@platen/formats/geotiff/pack-block';
import { JobFailure } from '../../job-type.ts';
import { unitBytes, type RasterShape } from '../pyramid/raster-shape.ts';
import type { Mosaic } from './one-grid.ts';
import type { PlacedSheet } from '../../raster-source/copy-pixels.ts';
import type { RasterSheet } from '../../raster-source/raster-sheet.ts';

const blockSides = [512, 256, 128];
/** Blocks have 24 bytes each in memory and in the directories. */
const maxBlocks = 4e6;

/** @param squareBytes the largest block that fits into memory several times. @throws JobFailure */
export function shapeOf({ width, height, sheets }: Mosaic, squareBytes: number): RasterShape {
  const { sheet } = sheets[0]!;
  const { bands, sampleType, noData, alphaBand, extraSamples } = sheet;
  const isPremultiplied = alphaBand !== undefined && extraSamples.includes(1);
  const hasGaps = sheets.length > 1 && noData === undefined && alphaBand === undefined;
  const shape = {
    width,
    height,
    meaning: {
      bands,
      isNearest: sheet.photometric === photometric.palette || sheet.bits === 1,
      noData,
      alphaBand: isPremultiplied ? undefined : alphaBand,
    },
    hasMask: hasGaps || sheets.some((one) => one.sheet.mask !== undefined),
    sampleType,
  };
  const shapeWith = (side: number): RasterShape => ({ ...shape, blockSide: side, unitSide: side });
  const side = blockSides.find((one) => unitBytes(shapeWith(one)) <= squareBytes);
  if (side === undefined)
    throw new JobFailure(
      'tooLarge',
      `${sheet.name} has ${bands} bands: a block of 128 × 128 pixels does not fit into the memory of the job. Give it more (processing.memoryMegabytes).`,
    );
  if ((width / side) * (height / side) > maxBlocks)
    throw new JobFailure(
      'tooLarge',
      `The image would have ${width} × ${height} pixels, which is more than a job makes. Check where the sheets are, or convert fewer of them in each task.`,
    );
  return shapeWith(side);
}

/** How the blocks of the image are packed: differences between classes would only make them larger. */
export function blockFormOf(
  { sheets }: Mosaic,
  { blockSide, meaning }: RasterShape,
  packing: LosslessCompression,
): BlockForm {
  const { bits, sampleType } = sheets[0]!.sheet;
  const hasNone = meaning.isNearest || bits < 8;
  const predictor = sampleType.startsWith('float') ? 3 : hasNone ? 1 : 2;
  return { width: blockSide, bands: meaning.bands, bits, compression: packing, predictor };
}

export function imageTags({ sheets }: Mosaic, { compression: packing, predictor }: BlockForm): WrittenTag[] {
  const { bands, bits, photometric: colours, extraSamples, sampleFormat, meaningTags } = sheets[0]!.sheet;
  const each = (value: number): number[] => Array.from({ length: bands }, () => value);
  const short = (id: number, ...values: number[]): WrittenTag => ({ id, type: tagType.short, values });
  return [
    short(tag.bitsPerSample, ...each(bits)),
    short(tag.compression, compression[packing]),
    short(tag.photometric, colours),
    short(tag.samplesPerPixel, bands),
    short(tag.planar, 1),
    ...(predictor === 1 ? [] : [short(tag.predictor, predictor)]),
    ...(extraSamples.length > 0 ? [short(tag.extraSamples, ...extraSamples)] : []),
    short(tag.sampleFormat, ...each(sampleFormat)),
    ...meaningTags,
  ];
}

/** Where the image is, and what the sheet at the bottom says of itself. */
export function placeTags({ sheets }: Mosaic): WrittenTag[] {
  const { sheet } = sheets[0]!;
  const place = sheets.length === 1 ? sheet.placeTags : placeOfMosaic(sheets[0]!);
  return [...place, ...sheet.crsTags, ...sheet.textTags];
}

/** Of the first pixel of the mosaic, which is `column` and `row` before that of the sheet. */
function placeOfMosaic({ sheet, column, row }: PlacedSheet<RasterSheet>): WrittenTag[] {
  const [a, b, c, d, e, f] = sheet.matrix!;
  const half = isPoint(sheet) ? 0.5 : 0;
  const x = c + a * (half - column) + b * (half - row);
  const y = f + d * (half - column) + e * (half - row);
  const doubles = (id: number, ...values: number[]): WrittenTag => ({ id, type: tagType.double, values });
  if (b === 0 && d === 0 && a > 0 && e < 0)
    return [doubles(tag.pixelScale, a, -e, 0), doubles(tag.tiepoints, 0, 0, 0, x, y, 0)];
  const rows = [
    [a, b, 0, x],
    [d, e, 0, y],
    [0, 0, 0, 0],
    [0, 0, 0, 1],
  ];
  return [doubles(tag.transformation, ...rows.flat())];
}

/** Its coordinates are those of the middles of pixels. */
function isPoint({ crsTags }: RasterSheet): boolean {
  const keys = crsTags.find(({ id }) => id === tag.geoKeys)?.values ?? [];
  for (let at = 4; at + 3 < keys.length; at += 4) if (keys[at] === 1025) return keys[at + 3] === 2;
  return false;
}
