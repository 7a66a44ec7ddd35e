import { BytesError, type Bytes } from '../../bytes/bytes.ts';
import { readExactly } from '../../bytes/read-exactly.ts';
import { eachLine } from '../../mesh/each-line.ts';
import type { PointBuffer } from '../point-buffer.ts';
import type { PointFile, PointNote } from '../point-file.ts';
import { brightestOf, createPointTable, hasPlace } from '../point-table.ts';
import { isSilent, readRow } from './read-row.ts';
import { isOrigin, scanText, type TextPart, type TextRange, type TextScan } from './scan-text.ts';
import type { TextLayout } from './text-layout.ts';

/** Of rows that are no points: more is no text of points. */
const maxUnreadableShare = 0.5;

/** A text of points: each row is one. @throws BytesError */
export async function openText(
  bytes: Bytes,
  layout: TextLayout,
  { scan: known, range }: { readonly scan?: TextScan; readonly range?: TextRange } = {},
): Promise<PointFile> {
  const scan = known ?? (await scanText(bytes, layout, range));
  const { count, unreadable, firstUnreadable } = scan;
  if (count === 0) throw new BytesError('it contains no points');
  if (unreadable > count * maxUnreadableShare)
    throw new BytesError(
      `${unreadable} of its rows are no points, the first in line ${firstUnreadable}: set modelOptions.columns`,
    );
  return {
    min: scan.min,
    max: scan.max,
    hasColours: layout.columns.red !== undefined,
    hasTimes: layout.columns.gpsTime !== undefined,
    partPoints: scan.parts.map(({ points }) => points),
    scan,
    notes: notesOf(scan),
    crs: undefined,
    vertical: undefined,
    brightest: async () => brightestOf(scan, layout.columns),
    readPart: (part) => readTextPart(bytes, scan, scan.parts[part]!),
  };
}

function notesOf({ unreadable, firstUnreadable, missing, count }: TextScan): PointNote[] {
  const notes: PointNote[] = [];
  if (unreadable > 0)
    notes.push({
      code: 'unreadableRows',
      message: `has rows without numbers for x, y and z, the first in line ${firstUnreadable}`,
      times: unreadable,
    });
  if (missing > 0)
    notes.push({
      code: 'cutSheet',
      message: `is cut off: ${missing} of ${count + unreadable + missing} points are missing`,
      times: missing,
    });
  return notes;
}

async function readTextPart(
  bytes: Bytes,
  scan: TextScan,
  { offset, length, points, scan: number }: TextPart,
): Promise<PointBuffer> {
  const { layout, matrices } = scan;
  const { columns, point, width, kind } = layout;
  const table = createPointTable(columns, scan, points, matrices[number]);
  const values = new Float64Array(width + 1);
  const content = await readExactly(bytes, offset, length);
  let left = points;
  const lines = (async function* () {
    yield content;
  })();
  await eachLine(lines, (buffer, from, to) => {
    if (left === 0 || isSilent(buffer, from, to)) return;
    if (readRow(buffer, [from, to], point, values) < width || !hasPlace(values, columns)) return;
    if (kind === 'ptx' && isOrigin(values)) return;
    table.add(values);
    left--;
  });
  return table.finish();
}
