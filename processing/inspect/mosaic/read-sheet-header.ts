import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { crsOfKeys } from '@platen/formats/geotiff/geo-crs';
import { geoKey, readGeoKeys } from '@platen/formats/geotiff/geo-keys';
import { readGeoTransform, type GeoTransform } from '@platen/formats/geotiff/geo-transform';
import { readImage } from '@platen/formats/geotiff/read-image';
import { isTiff, readTiff } from '@platen/formats/geotiff/read-tiff';
import { readAsciiGrid } from '@platen/formats/grid/ascii-grid';
import { recogniseHgt } from '@platen/formats/grid/hgt';
import { readImageHeader } from '@platen/formats/image/read-header';
import type { Subject } from '../inspector.ts';
import { readSidecarFiles } from '../raster/sidecar-files.ts';

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

/** @returns undefined for what is no image and no grid. @throws BytesError where it is damaged */
export async function readSheetHeader(path: string, subject: Subject): Promise<SheetHeader | undefined> {
  const bytes = subject.bytes!;
  if (isTiff(await bytes.read(0, 4))) {
    const tiff = await readTiff(bytes);
    const directory = tiff.directories[0]!;
    const image = await readImage(tiff, directory);
    const keys = await readGeoKeys(tiff, directory);
    const own = await readGeoTransform(tiff, image, keys.number(geoKey.rasterType) === rasterIsPoint);
    const transform = own?.isApproximate === true ? undefined : own;
    return finish(path, 'geotiff', { ...image, transform, crs: crsOfKeys(keys).text, subject });
  }
  const header = await readImageHeader(bytes);
  if (header) return finish(path, header.format, { ...header, subject });
  const tile = recogniseHgt(subject.name, bytes.size);
  if (tile) {
    const { side, corner } = tile;
    const step = 1 / (side - 1);
    const matrix = corner && ([step, 0, corner[0] - step / 2, 0, -step, corner[1] + 1 + step / 2] as const);
    const transform = matrix && { matrix, isApproximate: false };
    return finish(path, 'hgt', { width: side, height: side, transform, crs: 'EPSG:4326', subject });
  }
  const grid = await readAsciiGrid(bytes);
  if (!grid || 'fault' in grid) return undefined;
  const { columns, rows, cellSize, box } = grid;
  const matrix = [cellSize[0], 0, box[0], 0, -cellSize[1], box[3]] as const;
  const transform = { matrix, isApproximate: false };
  return finish(path, 'asciiGrid', { width: columns, height: rows, transform, subject });
}

interface HeaderFacts {
  readonly width: number;
  readonly height: number;
  readonly transform?: GeoTransform | undefined;
  readonly crs?: string | undefined;
  readonly subject: Subject;
}

/** Completes what the file says itself by the files beside it. */
async function finish(
  name: string,
  format: string,
  { width, height, subject, ...own }: HeaderFacts,
): Promise<SheetHeader> {
  const isWhole = own.transform !== undefined && own.crs !== undefined;
  const side = isWhole ? {} : await readSidecarFiles(subject);
  const transform = width > 0 && height > 0 ? (own.transform ?? side.transform) : undefined;
  return { name, format, width, height, transform, crs: crsOf(own.crs ?? side.crs) };
}

/** Thousands of sheets name the same few. */
const known = new Map<string, Crs | undefined>();
const maxKnown = 1000;

function crsOf(text: string | undefined): Crs | undefined {
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
