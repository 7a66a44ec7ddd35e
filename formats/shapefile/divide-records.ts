import { SourceError } from '../source/source.ts';
import type { FileWindow } from './file-window.ts';

/** Records of a .shp that follow each other; rows from 0. */
export interface RecordRange {
  readonly firstRow: number;
  readonly rows: number;
  /** Offset of the first record. */
  readonly start: number;
  /** Bytes of all of them. */
  readonly bytes: number;
  /** True if the records are not contiguous, so that the .shx locates them. */
  readonly indexed: boolean;
}

export const headerBytes = 100;
export const recordHeaderBytes = 8;
const indexEntryBytes = 8;

interface Planner {
  add(start: number, bytes: number): void;
  end(indexed: boolean): RecordRange[];
  readonly rows: number;
}

function createPlanner(partBytes: number): Planner {
  const ranges: Omit<RecordRange, 'indexed'>[] = [];
  let current = { firstRow: 0, rows: 0, start: headerBytes, bytes: 0 };
  let rows = 0;
  return {
    get rows() {
      return rows;
    },
    add(start, bytes) {
      if (current.bytes >= partBytes) {
        ranges.push(current);
        current = { firstRow: rows, rows: 0, start, bytes: 0 };
      } else if (current.rows === 0) current.start = start;
      current.rows++;
      current.bytes += bytes;
      rows++;
    },
    end(indexed) {
      if (current.rows > 0) ranges.push(current);
      return ranges.map((range) => Object.assign(range, { indexed }));
    },
  };
}

/** Divides by the index; undefined if it does not fit the .shp, as one that was left from an older state. */
export function divideByIndex(
  shp: FileWindow,
  shx: FileWindow,
  partBytes: number,
): RecordRange[] | undefined {
  const planner = createPlanner(partBytes);
  const count = Math.floor((shx.size - headerBytes) / indexEntryBytes);
  let contiguous = true;
  let expected = headerBytes;
  for (let row = 0; row < count; row++) {
    const entry = shx.need(headerBytes + row * indexEntryBytes, indexEntryBytes);
    if (entry < 0) return undefined;
    const start = shx.view.getUint32(entry) * 2;
    const bytes = recordHeaderBytes + shx.view.getUint32(entry + 4) * 2;
    if (start < headerBytes || start + bytes > shp.size) return undefined;
    contiguous &&= start === expected;
    expected = start + bytes;
    planner.add(start, bytes);
  }
  // A last record that ends before the file: the index misses some, if the rest is one.
  if (contiguous && expected < shp.size && recordAt(shp, expected)?.number === count + 1) return undefined;
  const ranges = planner.end(!contiguous);
  const isTrue = (row: number): boolean => {
    const entry = shx.need(headerBytes + row * indexEntryBytes, indexEntryBytes);
    const content = shx.view.getUint32(entry + 4) * 2;
    return recordAt(shp, shx.view.getUint32(entry) * 2)?.content === content;
  };
  // Contiguous entries need only a few look-ups in the .shp.
  const rows = contiguous ? [...ranges.map(({ firstRow }) => firstRow), count - 1] : Array(count).keys();
  for (const row of rows) if (row >= 0 && !isTrue(row)) return undefined;
  return ranges;
}

/** Records between two looks at the signal. */
const rowsBetweenPauses = 1 << 16;

/**
 * Divides by going from record to record.
 * @param statedBytes what the .shp says of its own length
 * @throws SourceError truncatedFile, brokenFile
 */
export async function divideByWalk(
  shp: FileWindow,
  { statedBytes, partBytes, signal }: { statedBytes: number; partBytes: number; signal: AbortSignal },
): Promise<RecordRange[]> {
  const planner = createPlanner(partBytes);
  let at = headerBytes;
  while (at < shp.size) {
    const { rows } = planner;
    const record = recordAt(shp, at);
    const bytes = recordHeaderBytes + (record?.content ?? 0);
    // Records behind the stated end count only if they continue the numbering.
    if (at >= statedBytes && (record?.number !== rows + 1 || at + bytes > shp.size)) break;
    if (record === undefined || at + bytes > shp.size) throw truncated(rows, at);
    if (record.content < 4) {
      throw new SourceError('brokenFile', 'a record is too short to hold a shape: upload the file again', {
        feature: rows + 1,
        byte: at,
      });
    }
    planner.add(at, bytes);
    at += bytes;
    if (rows % rowsBetweenPauses === 0) {
      await new Promise(setImmediate);
      signal.throwIfAborted();
    }
  }
  if (statedBytes > shp.size) throw truncated(planner.rows, shp.size);
  return planner.end(false);
}

/** The header of a record: its number from 1, and the bytes behind the header. Big-endian, in words of 16 bits. */
export function recordAt(shp: FileWindow, at: number): { number: number; content: number } | undefined {
  const header = shp.need(at, recordHeaderBytes);
  if (header < 0) return undefined;
  return { number: shp.view.getInt32(header), content: shp.view.getUint32(header + 4) * 2 };
}

export function truncated(row: number, byte: number): SourceError {
  return new SourceError(
    'truncatedFile',
    'the .shp is cut off, or a record has a wrong length: upload the file again',
    { feature: row + 1, byte },
  );
}
