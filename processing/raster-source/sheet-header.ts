import type { Bytes } from '@platen/formats/bytes/bytes';
import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { crsOfKeys } from '@platen/formats/geotiff/geo-crs';
import { geoKey, readGeoKeys } from '@platen/formats/geotiff/geo-keys';
import { readGeoTransform, type GeoTransform } from '@platen/formats/geotiff/geo-transform';
import { readImage } from '@platen/formats/geotiff/read-image';
import { isTiff, readTiff } from '@platen/formats/geotiff/read-tiff';
import { readAsciiGrid } from '@platen/formats/grid/ascii-grid';
import { recogniseHgt } from '@platen/formats/grid/hgt';
import { readTextGrid, type TextGrid } from '@platen/formats/grid/read-text-grid';
import { isJpeg2000 } from '@platen/formats/jpeg2000/read-boxes';
import { readJpeg2000 } from '@platen/formats/jpeg2000/read-jpeg2000';
import { placeOfJpeg2000 } from '@platen/formats/jpeg2000/read-place';
import { readImageHeader } from '@platen/formats/image/read-header';

/** What the header of a sheet says. */
export interface SheetHeader {
  /** Path in the folder. */
  readonly name: string;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  /** Undefined: it does not say where it is. */
  readonly transform: GeoTransform | undefined;
  /** Undefined: it does not say, or it is not known here. */
  readonly crs: Crs | undefined;
}

const rasterIsPoint = 2;

export interface SheetFile {
  /** Path in its folder. */
  readonly name: string;
  readonly bytes: Bytes;
  /** What the files beside it say, for what it does not say itself. */
  readonly readSidecars: () => Promise<{
    readonly crs?: string | undefined;
    readonly transform?: GeoTransform | undefined;
  }>;
}

/** @returns undefined for what is no image and no grid. @throws BytesError where it is damaged */
export async function readSheetHeader(file: SheetFile): Promise<SheetHeader | undefined> {
  const { bytes, name } = file;
  if (isTiff(await bytes.read(0, 4))) {
    const tiff = await readTiff(bytes);
    const directory = tiff.directories[0]!;
    const image = await readImage(tiff, directory);
    const keys = await readGeoKeys(tiff, directory);
    const own = await readGeoTransform(tiff, image, keys.number(geoKey.rasterType) === rasterIsPoint);
    const transform = own?.isApproximate === true ? undefined : own;
    return finish(file, 'geotiff', { ...image, transform, crs: crsOfKeys(keys).text });
  }
  if (isJpeg2000(await bytes.read(0, 12))) {
    const image = await readJpeg2000(bytes);
    const { transform, crs } = await placeOfJpeg2000(image);
    const { width, height } = image.stream;
    return finish(file, 'jpeg2000', { width, height, transform, crs: crs.text });
  }
  const header = await readImageHeader(bytes);
  if (header) return finish(file, header.format, header);
  const tile = recogniseHgt(name, bytes.size);
  if (tile) {
    const { side, corner } = tile;
    const step = 1 / (side - 1);
    const matrix = corner && ([step, 0, corner[0] - step / 2, 0, -step, corner[1] + 1 + step / 2] as const);
    const transform = matrix && { matrix, isApproximate: false };
    return finish(file, 'hgt', { width: side, height: side, transform, crs: 'EPSG:4326' });
  }
  const grid = await readAsciiGrid(bytes);
  if (grid) return 'fault' in grid ? undefined : finish(file, 'asciiGrid', cellsOf(grid, grid.cellSize));
  const text = await readTextGrid(bytes);
  return text && finish(file, 'xyzGrid', cellsOf(text, text.step));
}

function cellsOf(
  { columns, rows, box }: Pick<TextGrid, 'columns' | 'rows' | 'box'>,
  [width, height]: readonly [x: number, y: number],
): HeaderFacts {
  const matrix = [width, 0, box[0], 0, -height, box[3]] as const;
  return { width: columns, height: rows, transform: { matrix, isApproximate: false } };
}

interface HeaderFacts {
  readonly width: number;
  readonly height: number;
  readonly transform?: GeoTransform | undefined;
  readonly crs?: string | undefined;
}

/** Completes what the file says itself by the files beside it. */
async function finish(
  { name, readSidecars }: SheetFile,
  format: string,
  { width, height, ...own }: HeaderFacts,
): Promise<SheetHeader> {
  const isWhole = own.transform !== undefined && own.crs !== undefined;
  const side = isWhole ? {} : await readSidecars();
  const transform = width > 0 && height > 0 ? (own.transform ?? side.transform) : undefined;
  return { name, format, width, height, transform, crs: crsNamed(own.crs ?? side.crs) };
}

/** Thousands of sheets name the same few. */
const known = new Map<string, Crs | undefined>();
const maxKnown = 1000;

/** @returns undefined where it is not known */
export function crsNamed(text: string | undefined): Crs | undefined {
  if (text === undefined) return undefined;
  if (known.has(text)) return known.get(text);
  if (known.size >= maxKnown) known.clear();
  let crs: Crs | undefined;
  try {
    crs = findCrs(text);
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
  }
  known.set(text, crs);
  return crs;
}

interface PlacedHeader extends Pick<SheetHeader, 'width' | 'height'> {
  readonly transform: GeoTransform;
  readonly crs: Crs;
}

/** Longitude and latitude of the four corners, clockwise from the upper left; NaN where they are not on Earth. */
export function cornersOf({ width, height, transform, crs }: PlacedHeader): Float64Array {
  const [a, b, c, d, e, f] = transform.matrix;
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ].flatMap(([column, row]) => [a * column! + b * row! + c, d * column! + e * row! + f]);
  const quad = Float64Array.from(corners);
  if (crs.kind !== 'lonLat') crs.toLonLat(quad, 4);
  return quad;
}
