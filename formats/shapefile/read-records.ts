import { createFeature, type VisitFeature } from '../feature/feature.ts';
import { SourceError, type ReadPartOptions, type SourceFile } from '../source/source.ts';
import { openDecoder } from '../text/open-decoder.ts';
import type { DbfHeader } from './dbf-header.ts';
import { createDbfRows } from './dbf-row.ts';
import { headerBytes, recordAt, recordHeaderBytes, truncated, type RecordRange } from './divide-records.ts';
import { openFileWindow, type FileWindow } from './file-window.ts';
import { readShape } from './read-shape.ts';

/** Range of a part: its records, and the corresponding rows of the table. */
export interface ShapefileRange extends RecordRange {
  readonly table: DbfHeader | undefined;
  /** A label for openDecoder. */
  readonly encoding: string | undefined;
}

interface ReadRecordsOptions extends ReadPartOptions {
  readonly visit: VisitFeature;
}

const rowsBetweenReports = 1 << 12;

/** @returns the number of features; rows deleted in the table do not count. @throws SourceError */
export function readRecords(file: SourceFile, range: ShapefileRange, options: ReadRecordsOptions): number {
  const windows: FileWindow[] = [];
  const openWindow = (path: string): FileWindow => {
    const window = openFileWindow(path);
    windows.push(window);
    return window;
  };
  try {
    return visitRecords(openWindow, file, range, options);
  } finally {
    for (const window of windows) window.close();
  }
}

function visitRecords(
  openWindow: (path: string) => FileWindow,
  file: SourceFile,
  range: ShapefileRange,
  { visit, maxFeatureBytes, onProgress, keepsHeights }: ReadRecordsOptions,
): number {
  const shp = openWindow(file.path);
  const startOf = range.indexed ? indexReader(openWindow(file.related['shx']!)) : undefined;
  const readAttributes = attributeReader(openWindow, file, range);
  const feature = { ...createFeature(keepsHeights), properties: readAttributes.properties };
  const { firstRow, rows } = range;
  // A contiguous record that reaches beyond its range has a wrong length.
  const end = range.indexed ? shp.size : range.start + range.bytes;
  let at = range.start;
  let row = firstRow;
  let visited = 0;
  const place = () => ({ feature: row + 1, row: row + 1, byte: at });
  for (; row < firstRow + rows; row++) {
    if (startOf !== undefined) at = startOf(row);
    const content = recordAt(shp, at)?.content;
    if (content === undefined || at + recordHeaderBytes + content > end) throw truncated(row, at);
    if (content > maxFeatureBytes) {
      throw new SourceError('featureTooLarge', `the shape has ${content} bytes, which is too large`, place());
    }
    if (readAttributes.read(row)) {
      const start = shp.need(at + recordHeaderBytes, content);
      if (start < 0) throw truncated(row, at);
      feature.problem = readShape({ view: shp.view, at: start, length: content }, feature.geometry);
      visited++;
      visit(feature, place);
    }
    at += recordHeaderBytes + content;
    if (row % rowsBetweenReports === 0) onProgress?.((row - firstRow) / rows);
  }
  return visited;
}

function indexReader(shx: FileWindow): (row: number) => number {
  return (row) => {
    const entry = shx.need(headerBytes + row * 8, 8);
    if (entry < 0) throw new SourceError('truncatedFile', 'the .shx is cut off: upload the file without it');
    return shx.view.getUint32(entry) * 2;
  };
}

interface AttributeReader {
  readonly properties: Record<string, unknown>;
  /** False if the row is deleted. */
  read(row: number): boolean;
}

function attributeReader(
  openWindow: (path: string) => FileWindow,
  file: SourceFile,
  { table, encoding }: ShapefileRange,
): AttributeReader {
  if (table === undefined) return { properties: {}, read: () => true };
  const dbf = openWindow(file.related['dbf']!);
  const rows = createDbfRows(table, openDecoder(encoding));
  return {
    properties: rows.properties,
    read(row) {
      const start = dbf.need(table.headerBytes + row * table.recordBytes, table.recordBytes);
      if (row < table.rowCount && start >= 0) return rows.read(dbf.bytes, start);
      rows.clear();
      return true;
    },
  };
}
