import { compose, transformPosition, type Matrix } from '@platen/geo/geodesy/matrix';
import { BytesError, type Bytes } from '../bytes/bytes.ts';
import type { PointBuffer } from '../points/point-buffer.ts';
import { partPoints, type Place, type PointFile, type PointNote } from '../points/point-file.ts';
import {
  brightestOf,
  createPointTable,
  createTableScan,
  growBox,
  scanRow,
  type TableScan,
} from '../points/point-table.ts';
import { listPackets } from './e57-packets.ts';
import { readE57, type E57, type E57Scan } from './read-e57.ts';
import { openScanRows, rowColumns, type ScanRows } from './scan-rows.ts';

/** A scan whose points can be read. */
interface OpenScan {
  readonly rows: ScanRows;
  readonly matrix: Matrix | undefined;
  /** Its box, and its ranges of values. Plain data. */
  readonly scan: TableScan;
}

const byteMax = 255;

/** All points of the scans of an E57, each placed by its pose. @throws BytesError */
export async function openE57(bytes: Bytes, known?: unknown): Promise<PointFile> {
  const content = await readE57(bytes);
  const scans: OpenScan[] = [];
  let missing = 0;
  for (const [number, own] of content.scans.entries()) {
    if (own.points === 0) continue;
    const rows = await openScanRows(own, await listPackets(content.pages, own));
    missing += own.points - rows.count;
    if (rows.count === 0) continue;
    const matrix = own.pose && compose({ ...own.pose, scale: [1, 1, 1] });
    const scan = (known as TableScan[] | undefined)?.[number] ?? (await scanOf(own, rows, matrix));
    scans[number] = { rows, matrix, scan };
  }
  const usable = scans.filter((scan) => scan !== undefined);
  if (usable.length === 0) throw new BytesError(missing > 0 ? 'it is cut off' : 'it contains no points');
  return fileOf(content, usable, { missing, scan: scans.map((one) => one?.scan) });
}

function fileOf(
  content: E57,
  scans: readonly OpenScan[],
  { missing, scan }: { readonly missing: number; readonly scan: unknown },
): PointFile {
  const parts = scans.flatMap(({ rows }, number) =>
    Array.from({ length: Math.ceil(rows.count / partPoints) }, (_, part) => ({
      number,
      first: part * partPoints,
      points: Math.min(partPoints, rows.count - part * partPoints),
    })),
  );
  const whole = createTableScan();
  for (const one of scans)
    for (const corner of [one.scan.min, one.scan.max] as const)
      if (corner.every(Number.isFinite)) growBox(whole, corner);
  if (whole.min[0] > whole.max[0]) throw new BytesError('none of its points is valid');
  const coloured = scans.filter(({ rows }) => rowColumns(rows).red !== undefined);
  const brightest = coloured.map((one) => brightestOf(one.scan, rowColumns(one.rows))!);
  const isDeep = brightest.some((value) => value > byteMax);
  return {
    min: whole.min,
    max: whole.max,
    hasColours: coloured.length > 0,
    hasTimes: scans.some(({ rows }) => rowColumns(rows).gpsTime !== undefined),
    partPoints: parts.map(({ points }) => points),
    scan,
    notes: notesOf(content, missing),
    crs: content.crs === '' ? undefined : content.crs,
    vertical: undefined,
    brightest: async () => (brightest.length === 0 ? undefined : Math.max(...brightest)),
    async readPart(part) {
      const { number, first, points } = parts[part]!;
      const own = scans[number]!;
      const table = createPointTable(rowColumns(own.rows), own.scan, points, own.matrix);
      await own.rows.each([first, first + points], (row) => table.add(row));
      const isShallow = (brightestOf(own.scan, rowColumns(own.rows)) ?? 0) <= byteMax;
      return isDeep && isShallow ? deepened(table.finish()) : table.finish();
    },
  };
}

/** With colours of 16 bits. */
function deepened(points: PointBuffer): PointBuffer {
  return { ...points, colours: points.colours?.map((value) => value * 257) };
}

function notesOf({ images }: E57, missing: number): PointNote[] {
  const notes: PointNote[] = [];
  if (missing > 0)
    notes.push({ code: 'cutSheet', message: `is cut off: ${missing} points are missing`, times: missing });
  if (images > 0)
    notes.push({
      code: 'unusedContent',
      message: `has ${images} images besides its points; they are left out`,
      times: images,
    });
  return notes;
}

/** By what the scan says of itself; where that is not enough, all of its points are read. */
async function scanOf(own: E57Scan, rows: ScanRows, matrix: Matrix | undefined): Promise<TableScan> {
  const scan = createTableScan();
  const columns = rowColumns(rows);
  const limits = (name: string) => own.fields.find((field) => field.name === name)?.limits;
  const intensity = own.intensityLimits ?? limits('intensity');
  const colour = own.colourLimits ?? limits('colorRed');
  const placed = (place: Place): Place => (matrix ? transformPosition(matrix, place) : place);
  const isKnown =
    own.bounds !== undefined &&
    (columns.intensity === undefined || intensity !== undefined) &&
    (columns.red === undefined || colour !== undefined);
  if (!isKnown) {
    await rows.each([0, rows.count], (row) =>
      scanRow(scan, row, columns, placed([row[0]!, row[1]!, row[2]!])),
    );
    return scan;
  }
  const [west, south, low, east, north, high] = own.bounds!;
  for (let i = 0; i < 8; i++)
    growBox(scan, placed([i & 1 ? east : west, i & 2 ? north : south, i & 4 ? high : low]));
  const isWhole = (name: string): boolean => {
    const field = own.fields.find((one) => one.name === name);
    return field?.kind === 'integer' && field.scale === 1;
  };
  scan.count = rows.count;
  if (intensity !== undefined) [scan.intensityMin, scan.intensityMax] = intensity;
  if (colour !== undefined) scan.colourMax = colour[1];
  scan.intensitiesAreWhole = isWhole('intensity');
  scan.coloursAreWhole = isWhole('colorRed');
  return scan;
}
