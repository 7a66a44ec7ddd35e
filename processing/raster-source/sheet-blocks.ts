import { BytesError } from '@platen/formats/bytes/bytes';
import { openFile } from '@platen/formats/bytes/open-file';
import { openBlocks, type BlockReader, type Samples } from '@platen/formats/geotiff/read-block';
import { readImage, type TiffImage } from '@platen/formats/geotiff/read-image';
import { readTiff, type Tiff } from '@platen/formats/geotiff/read-tiff';
import { openTileDecoder } from '../kit/images/tile-decoder.ts';
import type { SheetPart } from './raster-sheet.ts';

/** A part of a sheet's file: the image, or its mask. */
export interface OpenPart {
  readonly image: TiffImage;
  /** Of a block; undefined: the file leaves it out. */
  readonly read: (column: number, row: number, plane: number) => Promise<Samples | undefined>;
}

/** @returns undefined where its pixels are stored in a way that is not read here */
export async function openSheetBlocks(
  tiff: Tiff,
  image: TiffImage,
  maxBlockBytes?: number,
): Promise<BlockReader | undefined> {
  const decodePicture = await openTileDecoder();
  return openBlocks(tiff, image, { decodePicture, ...(maxBlockBytes !== undefined && { maxBlockBytes }) });
}

/** Opens the file of an image. @throws BytesError */
export async function openPart(
  { path, directory }: SheetPart,
  maxBlockBytes: number,
): Promise<OpenPart & { close(): Promise<void> }> {
  const file = await openFile(path);
  try {
    const tiff = await readTiff(file);
    const image = await readImage(tiff, tiff.directories[directory]!);
    const blocks = await openSheetBlocks(tiff, image, maxBlockBytes);
    if (!blocks) throw new BytesError('its pixels are stored in a way that is not read here');
    return { image, read: (...place) => blocks.read(...place), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}
