import { hash } from 'node:crypto';
import { rowBytes, compareHashes } from './sort-hash-rows.ts';

/**
 * Rows of a 3TZ that is being written. Besides its row of the index, a name that changes when it is folded (lower case)
 * has a row of its folded form, so that names that differ only in case are found as equal hashes.
 */
export const kinds = { name: 0, nameThatFolds: 1, folded: 2 } as const;

/** The offset takes 53 bits of the last 64. */
const kindByte = rowBytes - 1;

export function encodeRow(row: Buffer, name: string, offset: number, kind: number): void {
  row.write(hash('md5', name, 'latin1'), 'latin1');
  row.writeUInt32LE(offset % 2 ** 32, 16);
  row.writeUInt32LE(Math.floor(offset / 2 ** 32), 20);
  row[kindByte] = kind;
}

export function offsetOf(rows: Buffer, at: number): number {
  return rows.readUInt32LE(at + 16) + rows.readUIntLE(at + 20, 3) * 2 ** 32;
}

/** Two members of one name, or of names that some file systems take for the same. */
export interface NameClash {
  readonly isDuplicate: boolean;
  /** Offsets of the local headers. */
  readonly offsets: readonly [number, number];
}

/** The index rows among sorted rows, in place. @throws what `onClash` makes of members that must not be in one archive */
export function indexRows(rows: Buffer, onClash: (clash: NameClash) => Error): Buffer {
  let end = 0;
  for (let at = 0; at < rows.length; at += rowBytes) {
    const kind = rows[at + kindByte]!;
    for (
      let next = at + rowBytes;
      next < rows.length && compareHashes(rows, at, rows, next) === 0;
      next += rowBytes
    ) {
      const other = rows[next + kindByte]!;
      const isDuplicate = kind !== kinds.folded && other !== kinds.folded;
      const areSameFolded = kind !== kinds.nameThatFolds && other !== kinds.nameThatFolds;
      if (isDuplicate || areSameFolded)
        throw onClash({ isDuplicate, offsets: [offsetOf(rows, at), offsetOf(rows, next)] });
    }
    if (kind === kinds.folded) continue;
    rows.copy(rows, end, at, at + rowBytes);
    rows[end + kindByte] = 0;
    end += rowBytes;
  }
  return rows.subarray(0, end);
}
