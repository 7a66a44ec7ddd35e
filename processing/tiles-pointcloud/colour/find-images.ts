import { degreesOf } from '../../raster-source/mercator-frame.ts';
import { findColours } from '../../raster-source/find-colours.ts';
import { findMosaicSheets, imageEndings } from '../../raster-source/find-sheets.ts';
import { readColours } from '../../raster-source/colour-settings.ts';
import { readMask } from '../../raster-source/mask/mask-settings.ts';
import type { MosaicSheet } from '../../raster-source/mosaic-sheet.ts';
import { openSheetReader } from '../../raster-source/read-sheets.ts';
import { unpackInputs } from '../../raster-source/unpack-inputs.ts';
import { JobFailure, type JobContext, type JobInput } from '../../job-type.ts';
import { requireImageCodec } from '../../kit/images/image-codec.ts';
import type { PointSheet } from '../sheets/sheet.ts';

interface FindImages {
  readonly strict: boolean;
  /** For unpacked blocks of images. */
  readonly imageBytes: number;
  /** For unpacked archives. */
  readonly folder: string;
  readonly clouds: readonly Pick<PointSheet, 'box'>[];
}

/** Opens the images that points get their colours from: the first counts where they overlap. @throws JobFailure */
export async function findPointImages(
  inputs: readonly JobInput[],
  { strict, imageBytes, folder, clouds }: FindImages,
  context: JobContext,
): Promise<readonly MosaicSheet[]> {
  if (inputs.length === 0) return [];
  const files = await unpackInputs(inputs, { sheets: imageEndings, folder }, context);
  const shown = { bands: undefined, mask: readMask({}) };
  const found = await findMosaicSheets(files, { ...shown, strict, sheetBytes: imageBytes }, context);
  const near = found.filter(({ box }) => clouds.some((cloud) => overlap(degreesOf(box), cloud.box)));
  if (near.length === 0)
    throw new JobFailure(
      'nothingUsable',
      `${found[0]!.name}${found.length > 1 ? ' and the other images do' : ' does'} not reach any of the point clouds, so points get no colour from there. Check the coordinate systems, or leave out processing.colour.`,
    );
  const reader = openSheetReader(near, await requireImageCodec(), imageBytes);
  try {
    return (await findColours(near, reader, { settings: readColours({}), context })).sheets;
  } finally {
    await reader.close();
  }
}

function overlap(a: readonly number[], b: readonly number[]): boolean {
  return a[0]! <= b[2]! && a[2]! >= b[0]! && a[1]! <= b[3]! && a[3]! >= b[1]!;
}
