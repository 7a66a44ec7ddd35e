import { openFile } from '@platen/formats/bytes/open-file';
import { checkCogLayout } from '@platen/formats/geotiff/cog-layout';
import {
  openBlocks,
  type BlockReader,
  type DecodePicture,
  type Samples,
} from '@platen/formats/geotiff/read-block';
import { readGeoTransform } from '@platen/formats/geotiff/geo-transform';
import { readImage, type TiffImage } from '@platen/formats/geotiff/read-image';
import { readTiff, type Tiff } from '@platen/formats/geotiff/read-tiff';
import { openImageCodec } from '../kit/images/image-codec.ts';
import { openSheetTests } from '../raster-source/testing.ts';
import { runConvertRaster } from './run.ts';

export const openRasterTests = () => openSheetTests(runConvertRaster);

export interface OpenedRaster {
  readonly tiff: Tiff;
  readonly images: readonly TiffImage[];
  /** All samples of an image, row by row. */
  pixels(image: number): Promise<number[]>;
  close(): Promise<void>;
}

/** @throws if the file is not cloud-optimized */
export async function openRaster(path: string): Promise<OpenedRaster> {
  const file = await openFile(path);
  const tiff = await readTiff(file);
  const images = await Promise.all(tiff.directories.map((directory) => readImage(tiff, directory)));
  const { faults, hasGhostArea } = await checkCogLayout(tiff, images);
  if (faults.length > 0 || !hasGhostArea || tiff.fault !== undefined)
    throw new Error(`${path}: ${[tiff.fault, ...faults].join(', ')}`);
  return { tiff, images, pixels: (image) => pixelsOf(tiff, images[image]!), close: () => file.close() };
}

async function pixelsOf(tiff: Tiff, image: TiffImage): Promise<number[]> {
  const blocks = openBlocks(tiff, image)!;
  const { width, height, bands, blockWidth, blockHeight } = image;
  const read = new Map<number, Samples | undefined>();
  const pixels: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [column, row] = [Math.floor(x / blockWidth), Math.floor(y / blockHeight)];
      const key = row * blocks.columns + column;
      if (!read.has(key)) read.set(key, await blocks.read(column, row));
      const at = ((y % blockHeight) * blockWidth + (x % blockWidth)) * bands;
      for (let band = 0; band < bands; band++) pixels.push(read.get(key)?.[at + band] ?? NaN);
    }
  }
  return pixels;
}

/** Imagery as map viewers see it. */
export interface OpenedMap {
  readonly images: readonly TiffImage[];
  /** Red, green, blue, alpha. */
  pixel(x: number, y: number): Promise<number[]>;
  colourAt(place: readonly [lon: number, lat: number]): Promise<number[]>;
  close(): Promise<void>;
}

const earthRadius = 6_378_137;

export async function openMap(path: string): Promise<OpenedMap> {
  const raster = await openRaster(path);
  const { tiff, images } = raster;
  const codec = (await openImageCodec())!;
  const decodePicture: DecodePicture = async (picture, bands) =>
    (await codec.decode(picture, { bands: bands as 3 | 4 })).samples as Uint8Array;
  const image = images[0]!;
  const blocks = openBlocks(tiff, image, { decodePicture })!;
  const mask = images[1]?.isMask === true ? openBlocks(tiff, images[1])! : undefined;
  const transform = (await readGeoTransform(tiff, image, false))!;
  const read = new Map<string, Promise<Samples | undefined>>();
  const blockAt = (reader: BlockReader, x: number, y: number): Promise<Samples | undefined> => {
    const [column, row] = [Math.floor(x / image.blockWidth), Math.floor(y / image.blockHeight)];
    const key = [reader === mask, column, row].join(' ');
    const block = read.get(key) ?? reader.read(column, row);
    read.set(key, block);
    return block;
  };
  const pixel = async (x: number, y: number): Promise<number[]> => {
    const at = (y % image.blockHeight) * image.blockWidth + (x % image.blockWidth);
    const samples = (await blockAt(blocks, x, y))!;
    const colour = [...samples.subarray(at * image.bands, (at + 1) * image.bands)];
    return mask ? [...colour, (await blockAt(mask, x, y))![at]! * 255] : colour;
  };
  return {
    images,
    pixel,
    colourAt([lon, lat]) {
      const [a, , c, , e, f] = transform.matrix;
      const x = (lon * Math.PI * earthRadius) / 180;
      const y = Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * earthRadius;
      return pixel(Math.floor((x - c) / a), Math.floor((y - f) / e));
    },
    close: () => raster.close(),
  };
}
