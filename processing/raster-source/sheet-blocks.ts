import { BytesError } from '@platen/formats/bytes/bytes';
import { openFileSync } from '@platen/formats/bytes/open-file-sync';
import { openBlocks, type BlockReader } from '@platen/formats/geotiff/read-block';
import { readImage, type TiffImage } from '@platen/formats/geotiff/read-image';
import { readTiff, type Tiff } from '@platen/formats/geotiff/read-tiff';
import { isJpeg2000 } from '@platen/formats/jpeg2000/read-boxes';
import { openTileDecoder } from '../kit/images/tile-decoder.ts';
import { openJpeg2000Part } from './jpeg2000-sheet.ts';
import type { OpenPart, SheetPart } from './raster-sheet.ts';

/** @returns undefined where its pixels are stored in a way that is not read here */
export async function openSheetBlocks(
  tiff: Tiff,
  image: TiffImage,
  maxBlockBytes?: number,
): Promise<BlockReader | undefined> {
  const decodePicture = await openTileDecoder();
  return openBlocks(tiff, image, { decodePicture, ...(maxBlockBytes !== undefined && { maxBlockBytes }) });
}

/** Opens the file of an image, TIFF or JPEG 2000. @throws BytesError */
export async function openPart(
  { path, directory }: SheetPart,
  maxBlockBytes: number,
): Promise<OpenPart & { close(): Promise<void> }> {
  if (await isJpeg2000File(path)) return openJpeg2000Part(path);
  const file = openFileSync(path);
  try {
    const tiff = await readTiff(file);
    const image = await readImage(tiff, tiff.directories[directory]!);
    const blocks = await openSheetBlocks(tiff, image, maxBlockBytes);
    if (!blocks) throw new BytesError('its pixels are stored in a way that is not read here');
    const { readInto } = blocks;
    return { image, read: (...place) => blocks.read(...place), readInto, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function isJpeg2000File(path: string): Promise<boolean> {
  const file = openFileSync(path);
  try {
    return isJpeg2000(await file.read(0, 12));
  } finally {
    await file.close();
  }
}
