import { BytesError } from '@platen/formats/bytes/bytes';
import {
  openBlocks,
  type BlockReader,
  type DecodePicture,
  type Samples,
} from '@platen/formats/geotiff/read-block';
import type { TiffImage } from '@platen/formats/geotiff/read-image';
import type { Tiff } from '@platen/formats/geotiff/read-tiff';
import { openImageCodec } from '../kit/images/image-codec.ts';

/** A part of a sheet's file: the image, or its mask. */
export interface OpenPart {
  readonly image: TiffImage;
  /** Of a block; undefined: the file leaves it out. */
  read(column: number, row: number, plane: number): Promise<Samples | undefined>;
}

/** @returns undefined where its pixels are stored in a way that is not read here */
export async function openSheetBlocks(
  tiff: Tiff,
  image: TiffImage,
  maxBlockBytes?: number,
): Promise<BlockReader | undefined> {
  const decodePicture = await pictureDecoder();
  return openBlocks(tiff, image, { decodePicture, ...(maxBlockBytes !== undefined && { maxBlockBytes }) });
}

async function pictureDecoder(): Promise<DecodePicture | undefined> {
  const codec = await openImageCodec();
  return (
    codec &&
    (async (picture, bands) => {
      try {
        return (await codec.decode(picture, { bands: bands as 1 | 2 | 3 | 4 })).samples as Uint8Array;
      } catch (error) {
        throw new BytesError('one of its tiles is damaged', { cause: error });
      }
    })
  );
}
