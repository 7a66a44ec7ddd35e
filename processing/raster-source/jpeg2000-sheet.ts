import type { Bytes } from '@platen/formats/bytes/bytes';
import { openFile } from '@platen/formats/bytes/open-file';
import { photometric, tag } from '@platen/formats/geotiff/tags';
import { tagType } from '@platen/formats/geotiff/write-directory';
import { decodeTile, type TileSamples } from '@platen/formats/jpeg2000/decode-tile';
import { readJpeg2000 } from '@platen/formats/jpeg2000/read-jpeg2000';
import { placeOfJpeg2000 } from '@platen/formats/jpeg2000/read-place';
import { readTileStream, tileSizeOf } from '@platen/formats/jpeg2000/tile-stream';
import { copyTags } from './copy-tags.ts';
import type { OpenPart, RasterSheet } from './raster-sheet.ts';

/** OpenJPEG holds a sample as a number of 4 bytes, twice; besides, there is the result. */
const decoderBytesPerSample = 10;

/** @throws BytesError */
export async function openJpeg2000Sheet(
  bytes: Bytes,
  { name, path }: { readonly name: string; readonly path: string },
): Promise<RasterSheet> {
  const image = await readJpeg2000(bytes);
  const { stream, bits, isSigned, alphaBand, palette } = image;
  const { width, height, tileWidth, tileHeight } = stream;
  const bands = stream.components.length;
  const { transform, crs, tiff } = await placeOfJpeg2000(image);
  const extra = Math.max(0, bands - (bands >= 3 ? 3 : 1));
  const blockWidth = Math.min(width, tileWidth);
  const blockHeight = Math.min(height, tileHeight);
  const placeIds = [tag.pixelScale, tag.tiepoints, tag.transformation];
  return {
    name,
    path,
    width,
    height,
    bands,
    bits: bits > 8 ? 16 : bits,
    sampleType: bits > 8 ? (isSigned ? 'int16' : 'uint16') : isSigned ? 'int8' : 'uint8',
    sampleFormat: isSigned ? 2 : 1,
    photometric: palette ? photometric.palette : bands >= 3 ? photometric.rgb : photometric.blackIsZero,
    extraSamples: Array.from({ length: extra }, (_, i) => (bands - extra + i === alphaBand ? 2 : 0)),
    alphaBand,
    noDataText: '',
    noData: undefined,
    matrix: transform?.isApproximate === false ? transform.matrix : undefined,
    crs,
    mask: undefined,
    blockWidth,
    blockHeight,
    blockBytes: blockWidth * blockHeight * bands * decoderBytesPerSample,
    meaningTags: palette ? [{ id: tag.colourMap, type: tagType.short, values: palette }] : [],
    placeTags: tiff ? await copyTags(tiff, placeIds) : [],
    crsTags: tiff ? await copyTags(tiff, [tag.geoKeys, tag.geoDoubles, tag.geoTexts]) : [],
    textTags: [],
  };
}

/** Opens the tiles of a JPEG 2000 file as blocks. @throws BytesError */
export async function openJpeg2000Part(path: string): Promise<OpenPart & { close(): Promise<void> }> {
  const file = await openFile(path);
  try {
    const { stream, bits, isSigned, alphaBand } = await readJpeg2000(file);
    const { width, height, tileWidth, tileHeight } = stream;
    const bands = stream.components.length;
    const blockWidth = Math.min(width, tileWidth);
    const blockHeight = Math.min(height, tileHeight);
    const size = { width, height, blockWidth, blockHeight };
    return {
      image: { ...size, bands, alphaBand, isPlanar: false },
      async read(column, row) {
        const codestream = await readTileStream(file, stream, { column, row });
        if (!codestream) return undefined;
        const tile = tileSizeOf(stream, column, row);
        const samples = await decodeTile(codestream, { ...tile, components: bands, bits, isSigned });
        return padded(samples, { ...tile, bands, blockWidth, blockHeight });
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface PaddedTile {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
}

/** Tiles at the right and the bottom are smaller; blocks are not. */
function padded(
  samples: TileSamples,
  { width, height, bands, blockWidth, blockHeight }: PaddedTile,
): TileSamples {
  if (width === blockWidth && height === blockHeight) return samples;
  const block = new (samples.constructor as new (length: number) => TileSamples)(
    blockWidth * blockHeight * bands,
  );
  for (let y = 0; y < height; y++)
    block.set(samples.subarray(y * width * bands, (y + 1) * width * bands), y * blockWidth * bands);
  return block;
}
