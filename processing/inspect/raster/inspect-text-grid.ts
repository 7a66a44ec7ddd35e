import { BytesError } from '@platen/formats/bytes/bytes';
import { findVerticalCrs } from '@platen/formats/crs/find-vertical-crs';
import { readAsciiCells, readAsciiGrid, sampleAsciiGrid } from '@platen/formats/grid/ascii-grid';
import {
  readTextCells,
  readTextGrid,
  readWholeTextGrid,
  sampleTextHeights,
} from '@platen/formats/grid/read-text-grid';
import { drawRelief } from '../../tile-style/draw-relief.ts';
import type { FileSubject } from '../city-model/describe-city-model.ts';
import { damage } from '../damage.ts';
import { encodePicture } from '../encode-picture.ts';
import type { Finding, InspectionContext } from '../inspector.ts';
import { groundFactsOf, inspectHeights } from '../place/inspect-heights.ts';
import { placeBox } from '../place/place-box.ts';
import { gridLayer, gridUses } from './grid-layer.ts';
import { measureMesh, meshWindows } from './measure-detail.ts';
import { factsAt } from './raster-facts.ts';
import { windowsOf } from './read-windows.ts';
import type { PixelSample } from './sample-pixels.ts';
import { everyNth, sampleGround } from './sample-ground.ts';
import { readSidecarFiles } from './sidecar-files.ts';
import { checkHeights, flatHeightOf, round, undeclaredFill, valueRangeOf } from './value-range.ts';

/** Of texts that are read as a whole. */
const maxTextBytes = 96 << 20;
/** Of the memory, that their heights may take. */
const maxCellsShare = 1 / 8;
/** Of a sample: twice the thumbnail. */
const sampleSide = 512;

interface TextGridFacts {
  readonly format: Pick<Finding, 'format' | 'formatTitle'>;
  readonly columns: number;
  readonly rows: number;
  readonly cellSize: readonly [x: number, y: number];
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** The box is that of the beginning and the end. */
  readonly isEstimated?: boolean;
  readonly noData: number | undefined;
  /** All heights, in rows from the north; otherwise some of them. */
  readonly cells: Float32Array | undefined;
  readonly some: Float64Array;
}

/** Inspects ESRI ASCII grids, and texts of x, y and height on a grid; undefined for other texts. */
export async function inspectTextGrid(
  file: FileSubject,
  context: InspectionContext,
): Promise<Finding | undefined> {
  try {
    const grid = (await readAscii(file, context)) ?? (await readXyz(file, context));
    return grid && (await describe(file, grid, context));
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    context.issues.add('damagedFile', damage(file.name, error.message));
    const isAscii = (await readAsciiGrid(file.bytes)) !== undefined;
    return { ...(isAscii ? asciiFormat : xyzFormat), kind: 'terrain', layers: [], uses: [] };
  }
}

const asciiFormat = { format: 'asciiGrid', formatTitle: 'ESRI ASCII grid' } as const;
const xyzFormat = { format: 'xyzGrid', formatTitle: 'Text of heights (XYZ)' } as const;

async function readAscii(
  { bytes, name }: FileSubject,
  { issues, memoryBytes }: InspectionContext,
): Promise<TextGridFacts | undefined> {
  const grid = await readAsciiGrid(bytes);
  if (!grid) return undefined;
  if ('fault' in grid) throw new BytesError(grid.fault);
  const { columns, rows } = grid;
  // a cell takes at least a digit and a space
  const isCut = columns * rows * 2 > bytes.size - grid.dataOffset + 1;
  if (isCut) issues.add('damagedFile', damage(name, `it is too short for its ${columns} × ${rows} cells`));
  const isWhole = !isCut && fits(bytes.size, grid, memoryBytes);
  return {
    ...grid,
    format: asciiFormat,
    cells: isWhole ? await readAsciiCells(bytes, grid) : undefined,
    some: isWhole ? new Float64Array(0) : await sampleAsciiGrid(bytes, grid),
  };
}

async function readXyz(
  { bytes }: FileSubject,
  { memoryBytes }: InspectionContext,
): Promise<TextGridFacts | undefined> {
  const outline = await readTextGrid(bytes);
  if (!outline) return undefined;
  const isSmall = bytes.size <= maxTextBytes;
  const grid = isSmall ? await readWholeTextGrid(bytes) : outline;
  const isWhole = isSmall && fits(bytes.size, grid, memoryBytes);
  return {
    ...grid,
    format: xyzFormat,
    cellSize: grid.step,
    isEstimated: !isSmall,
    noData: undefined,
    cells: isWhole ? await readTextCells(bytes, grid) : undefined,
    some: isWhole ? new Float64Array(0) : await sampleTextHeights(bytes),
  };
}

const fits = (
  textBytes: number,
  { columns, rows }: Pick<TextGridFacts, 'columns' | 'rows'>,
  memoryBytes: number,
): boolean => textBytes <= maxTextBytes && columns * rows * 4 <= memoryBytes * maxCellsShare;

async function describe(
  file: FileSubject,
  grid: TextGridFacts,
  { issues }: InspectionContext,
): Promise<Finding> {
  const { name } = file;
  const { format, columns, rows, cellSize, box, isEstimated = false } = grid;
  const { crs } = await readSidecarFiles(file);
  const place = placeBox(crs, [...box], { file: name, issues });
  const sample = sampleOf(grid);
  const fill = undeclaredFill(sample, grid.noData);
  const noData = grid.noData ?? fill;
  const range = valueRangeOf(sample, noData);
  if (range) checkHeights(range, fill, { file: name, issues });
  const flat = flatHeightOf(sample, noData);
  const vertical = crs === undefined ? undefined : findVerticalCrs(crs);
  const evidence = { fileName: name, vertical, ...(flat && { flat }) };
  const heights = await inspectHeights(evidence, place);
  const ground =
    grid.cells &&
    (await groundFactsOf(evidence, place, (system, bbox) =>
      sampleGround({
        sample,
        noData,
        crs: system,
        bbox,
        matrix: [cellSize[0], 0, box[0], 0, -cellSize[1], box[3]],
        toSample: everyNth(sampleStep(grid)),
      }),
    ));
  const thumbnail = range && grid.cells && (await encodePicture(drawRelief(sample, noData)));
  const facts = factsAt({ name, width: columns, height: rows }, place);
  const meshVertices =
    facts && grid.cells && range
      ? measureMesh(windowsIn(grid.cells, columns, rows), {
          noData,
          degrees: facts.degrees,
          latitude: place.bbox![1]!,
        })
      : undefined;
  const details = {
    width: columns,
    height: rows,
    pixelSize: cellSize,
    ...(grid.noData !== undefined && { noData: grid.noData }),
    ...(range && { heightRange: [round(range.min), round(range.max)], isRangeEstimated: true }),
    ...(range && range.noDataShare > 0 && { noDataShare: Number(range.noDataShare.toPrecision(2)) }),
    ...(heights && { heights }),
  };
  return {
    ...format,
    kind: 'terrain',
    layers: [gridLayer(name, { ...place, isBboxEstimated: isEstimated, details })],
    uses: gridUses(heights),
    ...(facts && { raster: { ...facts, ...(meshVertices !== undefined && { meshVertices }) } }),
    ...(ground && { ground }),
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

const sampleStep = ({ columns, rows }: TextGridFacts): number =>
  Math.max(1, Math.ceil(Math.max(columns, rows) / sampleSide));

/** Heights spread evenly over the grid, as far as all are known. */
function sampleOf(grid: TextGridFacts): PixelSample {
  const { cells, some, columns, rows } = grid;
  if (!cells) return { width: some.length, height: 1, bands: 1, values: some };
  const step = sampleStep(grid);
  const [width, height] = [Math.ceil(columns / step), Math.ceil(rows / step)];
  const values = Float64Array.from(
    { length: width * height },
    (_, i) => cells[Math.floor(i / width) * step * columns + (i % width) * step]!,
  );
  return { width, height, bands: 1, values };
}

/** Windows in full resolution, one below the other. */
function windowsIn(cells: Float32Array, columns: number, rows: number): PixelSample {
  const windows = windowsOf({ width: columns, height: rows }, meshWindows);
  const { width, height } = windows[0]!;
  const values = new Float64Array(width * height * windows.length);
  for (const [number, { left, top }] of windows.entries())
    for (let row = 0; row < height; row++) {
      const from = (top + row) * columns + left;
      values.set(cells.subarray(from, from + width), (number * height + row) * width);
    }
  return { width, height: height * windows.length, bands: 1, values };
}
