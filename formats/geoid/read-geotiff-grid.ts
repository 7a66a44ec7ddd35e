import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readGeoTransform } from '../geotiff/geo-transform.ts';
import { geoKey, readGeoKeys } from '../geotiff/geo-keys.ts';
import { openBlocks, type Samples } from '../geotiff/read-block.ts';
import {
  readGdalMetadata,
  readImage,
  readNoData,
  type MetadataItem,
  type TiffImage,
} from '../geotiff/read-image.ts';
import { readTiff, type Tiff } from '../geotiff/read-tiff.ts';
import { checkFrame, createGrid, type GeoidGrid, type GridFrame } from './geoid-grid.ts';
import { windowOf, type GeoidBox } from './grid-window.ts';

const rasterIsPoint = 2;
/** The kind of grid that PROJ's collection has for geoids. */
const undulations = 'VERTICAL_OFFSET_GEOGRAPHIC_TO_VERTICAL';

/** Reads a GeoTIFF in the form of PROJ's grids; its first band are the undulations. @throws BytesError */
export async function readGeoTiffGrid(bytes: Bytes, box?: GeoidBox): Promise<GeoidGrid> {
  const grid = await openGrid(bytes);
  const { tiff, image } = grid;
  const file = await frameOf(tiff, image);
  const { frame, firstRow, targets } = windowOf(file, box);
  const blocks = openBlocks(tiff, image);
  if (blocks === undefined) throw new BytesError('its pixels are stored in a way that is not supported');
  const { blockWidth, blockHeight, isPlanar } = image;
  const bands = isPlanar ? 1 : image.bands;
  const values = new Float32Array(frame.columns * frame.rows).fill(NaN);
  const convert = await converterOf(grid);
  const lastRow = firstRow + frame.rows - 1;
  for (let row = Math.floor(firstRow / blockHeight); row <= Math.floor(lastRow / blockHeight); row++) {
    for (let column = 0; column < blocks.columns; column++) {
      const left = column * blockWidth;
      const width = Math.min(blockWidth, file.columns - left);
      if (targets.subarray(left, left + width).every((target) => target < 0)) continue;
      const samples = await blocks.read(column, row);
      if (samples === undefined) continue;
      const top = row * blockHeight;
      for (let y = Math.max(top, firstRow); y <= Math.min(lastRow, top + blockHeight - 1); y++) {
        for (let x = 0; x < width; x++) {
          const target = targets[left + x]!;
          if (target < 0) continue;
          values[(y - firstRow) * frame.columns + target] = convert(
            samples,
            ((y - top) * blockWidth + x) * bands,
          );
        }
      }
    }
  }
  return createGrid(frame, values);
}

/** EPSG's code of the heights that it is for, as PROJ's grids have it. @throws BytesError when it is no such grid */
export async function readGridCode(bytes: Bytes): Promise<string | undefined> {
  const { metadata } = await openGrid(bytes);
  const code = metadata.find(({ name }) => name === 'target_crs_epsg_code')?.value.trim();
  return code !== undefined && /^\d{4,5}$/.test(code) ? code : undefined;
}

interface TiffGrid {
  readonly tiff: Tiff;
  readonly image: TiffImage;
  readonly metadata: readonly MetadataItem[];
}

async function openGrid(bytes: Bytes): Promise<TiffGrid> {
  const tiff = await readTiff(bytes);
  const images = await Promise.all(tiff.directories.map((directory) => readImage(tiff, directory)));
  const [image, second] = images.filter(({ isOverview, isMask }) => !isOverview && !isMask);
  if (image === undefined) throw new BytesError('it holds no grid');
  if (second !== undefined) throw new BytesError('it holds several grids; one is supported');
  const metadata = await readGdalMetadata(tiff, image);
  const type = metadata.find(({ name }) => name === 'TYPE')?.value.trim();
  if (type !== undefined && type !== undulations)
    throw new BytesError(`it is a grid of the type ${type.slice(0, 60)}, not ${undulations}`);
  return { tiff, image, metadata };
}

async function frameOf(tiff: Tiff, image: TiffImage): Promise<GridFrame> {
  const keys = await readGeoKeys(tiff, image.directory);
  const isPoint = keys.number(geoKey.rasterType) === rasterIsPoint;
  const transform = await readGeoTransform(tiff, image, isPoint);
  if (transform === undefined) throw new BytesError('it has no georeference');
  const [a, b, c, d, e, f] = transform.matrix;
  if (b !== 0 || d !== 0 || a <= 0 || e >= 0)
    throw new BytesError('its rows do not run from west to east, and from north to south');
  const frame = {
    columns: image.width,
    rows: image.height,
    west: c + a / 2,
    north: f + e / 2,
    lonStep: a,
    latStep: -e,
  };
  checkFrame(frame);
  return frame;
}

type Convert = (samples: Samples, at: number) => number;

async function converterOf({ tiff, image, metadata }: TiffGrid): Promise<Convert> {
  const noData = await readNoData(tiff, image);
  const numberAt = (role: string, fallback: number) => {
    const text = metadata.find((item) => item.role === role && (item.band ?? 0) === 0)?.value;
    const value = Number(text);
    return text === undefined || !Number.isFinite(value) ? fallback : value;
  };
  const scale = numberAt('scale', 1);
  const offset = numberAt('offset', 0);
  return (samples, at) => {
    const value = samples[at]!;
    return value === noData ? NaN : value * scale + offset;
  };
}
