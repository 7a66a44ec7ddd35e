import { closeSync, openSync, readSync } from 'node:fs';
import { SourceError, type Source, type SourceFile, type SourceFormat } from '../source/source.ts';
import { divideRows } from './divide-rows.ts';
import { guessLayout } from './guess-layout.ts';
import { readRows, type CsvRange } from './read-rows.ts';
import { openTextWindow, type TextRange } from './text-window.ts';

const headBytes = 1 << 20;

/** Tables as text (RFC 4180 and its kin), with coordinates in columns; delimiter, character set and types are guessed. */
export const csvFormat: SourceFormat = {
  name: 'csv',
  title: 'CSV',
  async open(file, { signal, partBytes }): Promise<Source> {
    const { encoding, ...textRange } = readMark(file);
    const head = readHead(file, textRange);
    const { layout, firstRow, crs, warnings } = guessLayout(head, encoding);
    const before = head.bytes.toString('utf8', 0, firstRow);
    const all = {
      ...textRange,
      start: textRange.start + (textRange.utf16 === undefined ? firstRow : before.length * 2),
      firstRow: 1,
      firstLine: before.split(/\r\n|\n|\r/).length,
    };
    const { delimiter } = layout;
    const { ranges, rows } = await divideRows(file.path, all, { delimiter, partBytes, signal });
    const { coordinates, columns } = layout;
    const geometry = coordinates.kind === 'pair' ? [coordinates.x, coordinates.y] : [coordinates.column];
    const parts = ranges.map((range) => ({
      format: 'csv',
      file,
      weight: range.end - range.start,
      range: { ...range, layout } satisfies CsvRange,
    }));
    const fields = columns.filter((_, column) => !geometry.includes(column));
    const layer = { name: undefined, crs, featureCount: rows, fields, bbox: undefined, parts };
    return { format: 'csv', file, layers: [layer], warnings };
  },
  read: async (part, visit, options) => readRows(part.file, part.range as CsvRange, visit, options),
};

/** Uses the byte order mark, otherwise the encoding selected by the user, if any. */
function readMark(file: SourceFile): TextRange & { readonly encoding: string | undefined } {
  const mark = Buffer.alloc(3);
  const descriptor = openSync(file.path, 'r');
  readSync(descriptor, mark, 0, 3, 0);
  closeSync(descriptor);
  const end = file.size;
  if (mark[0] === 0xef && mark[1] === 0xbb && mark[2] === 0xbf) {
    return { start: 3, end, utf16: undefined, encoding: 'utf-8' };
  }
  const little = mark[0] === 0xff && mark[1] === 0xfe;
  const big = mark[0] === 0xfe && mark[1] === 0xff;
  const named = /^utf-?16(be)?/i.exec(file.encoding ?? '');
  if (!little && !big && named === null) return { start: 0, end, utf16: undefined, encoding: file.encoding };
  const utf16 = big || (!little && named?.[1] !== undefined) ? 'utf-16be' : 'utf-16le';
  return { start: little || big ? 2 : 0, end, utf16, encoding: 'utf-8' };
}

function readHead(
  file: SourceFile,
  { start, end, utf16 }: TextRange,
): { bytes: Buffer; start: number; whole: boolean } {
  const headEnd = Math.min(end, start + headBytes);
  const window = openTextWindow(file.path, { start, end: headEnd, utf16 });
  window.fill();
  window.close();
  if (window.bytes.includes(0))
    throw new SourceError('brokenFile', 'it contains zero bytes, so it is not a text file');
  return { bytes: window.bytes, start: 0, whole: headEnd === end };
}
