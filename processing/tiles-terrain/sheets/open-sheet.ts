import { BytesError } from '@platen/formats/bytes/bytes';
import { openFile, type OpenFile } from '@platen/formats/bytes/open-file';
import { readAsciiGrid } from '@platen/formats/grid/ascii-grid';
import { hgtNoData, recogniseHgt } from '@platen/formats/grid/hgt';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { isTiff } from '@platen/formats/geotiff/read-tiff';
import { JobFailure, type JobInput } from '../../job-type.ts';
import { describeTiffSheet } from './describe-tiff-sheet.ts';
import { looksLikeXyz, unfoldAscii, unfoldXyz } from './unfold-text.ts';
import { unknownCrs } from './unknown-crs.ts';
import type { Sheet } from './sheet.ts';

/** Of the names of height models. */
export const heightEndings = /\.(?:tiff?|gtiff|btf|hgt|asc|agr|grd|txt|xyz|csv|dat)(?:\.gz)?$/i;

const egm96 = 'EPSG:4326+5773';

/** Where texts are unfolded into rows of numbers: a file of its own for each sheet. */
export interface SheetContext {
  readonly scratchPath: string;
  readonly signal: AbortSignal;
}

/**
 * Recognises a sheet of heights by its content.
 * @throws JobFailure when it is no sheet of heights, or says not where it is; BytesError when it is damaged
 */
export async function openSheet(input: JobInput, context: SheetContext): Promise<Sheet> {
  const bytes = await openFile(input.path);
  try {
    return (
      (await hgtSheet(input, bytes)) ??
      (isTiff(await bytes.read(0, 4)) ? await describeTiffSheet(input, bytes) : undefined) ??
      (await asciiSheet(input, bytes, context)) ??
      (await xyzSheet(input, bytes, context)) ??
      notRecognised(input)
    );
  } finally {
    await bytes.close();
  }
}

function notRecognised({ name }: JobInput): never {
  throw new JobFailure(
    'notRecognised',
    `${name} is no height model that is read here. Use GeoTIFF, .hgt, an ESRI ASCII grid, or text with x, y and height on each line.`,
  );
}

async function hgtSheet({ name, path, crs }: JobInput, bytes: OpenFile): Promise<Sheet | undefined> {
  if (!/\.hgt$/i.test(name)) return undefined;
  const tile = recogniseHgt(name, bytes.size);
  if (tile === undefined)
    throw new BytesError('it does not have the size of a .hgt, which is 3601 × 3601 or 1201 × 1201');
  const { side, corner } = tile;
  if (corner === undefined)
    throw new JobFailure(
      'invalidCoordinates',
      `${name} does not have a name such as N49E011.hgt, which is the only place that states its position. Rename it.`,
    );
  const step = 1 / (side - 1);
  return {
    name,
    path,
    cells: 'int16',
    width: side,
    height: side,
    // heights are at corners of the grid: the middles of the pixels
    matrix: [step, 0, corner[0] - step / 2, 0, -step, corner[1] + 1 + step / 2],
    crs: crs ?? 'EPSG:4326',
    vertical: findVerticalCrs(egm96),
    noData: hgtNoData,
  };
}

async function asciiSheet(
  input: JobInput,
  bytes: OpenFile,
  { scratchPath, signal }: SheetContext,
): Promise<Sheet | undefined> {
  const grid = await readAsciiGrid(bytes);
  if (grid === undefined) return undefined;
  if ('fault' in grid) throw new BytesError(grid.fault);
  const crs = await requireCrs(input);
  await unfoldAscii(bytes, grid, { path: scratchPath, signal });
  const { columns, rows, cellSize, box } = grid;
  return {
    name: input.name,
    path: scratchPath,
    sourcePath: input.path,
    cells: 'float32',
    width: columns,
    height: rows,
    matrix: [cellSize[0], 0, box[0], 0, -cellSize[1], box[3]],
    crs,
    vertical: findVerticalCrs(crs),
    noData: grid.noData === undefined ? undefined : Math.fround(grid.noData),
  };
}

async function xyzSheet(
  input: JobInput,
  bytes: OpenFile,
  { scratchPath, signal }: SheetContext,
): Promise<Sheet | undefined> {
  if (!(await looksLikeXyz(bytes))) return undefined;
  const crs = await requireCrs(input);
  const grid = await unfoldXyz(bytes, { path: scratchPath, signal });
  return {
    name: input.name,
    path: scratchPath,
    sourcePath: input.path,
    cells: 'float32',
    width: grid.columns,
    height: grid.rows,
    matrix: [grid.step[0], 0, grid.west - grid.step[0] / 2, 0, -grid.step[1], grid.north + grid.step[1] / 2],
    crs,
    vertical: findVerticalCrs(crs),
    noData: undefined,
  };
}

/** Text has no CRS of its own: a .prj beside it names it, or the task. */
async function requireCrs({ name, crs, related }: JobInput): Promise<string> {
  if (crs !== undefined) return crs;
  const prj = related?.['prj'];
  if (prj !== undefined) {
    const file = await openFile(prj);
    const text = new TextDecoder().decode(await file.read(0, 1 << 16)).trim();
    await file.close();
    if (text !== '') return text;
  }
  throw unknownCrs(name);
}
