import { closeSync, openSync, readSync } from 'node:fs';
import { BytesError } from '@platen/formats/bytes/bytes';
import type { CellReader, Sheet } from './sheet.ts';

/** Reads a file of rows of numbers: the big-endian ones of a .hgt, or floats of a scratch file. */
export function readBinaryCells({ path, cells, width, noData }: Sheet): CellReader {
  const file = openSync(path, 'r');
  const cellBytes = cells === 'int16' ? 2 : 4;
  const readLine = (line: Buffer, values: Float32Array): void => {
    for (let i = 0; i < values.length; i++) {
      const value = cells === 'int16' ? line.readInt16BE(i * 2) : line.readFloatLE(i * 4);
      values[i] = value === noData ? NaN : value;
    }
  };
  return {
    async read({ column, row, width: columns, height }) {
      const values = new Float32Array(columns * height);
      const line = Buffer.alloc(columns * cellBytes);
      for (let i = 0; i < height; i++) {
        const offset = ((row + i) * width + column) * cellBytes;
        if (readSync(file, line, 0, line.length, offset) < line.length) throw new BytesError('it is cut off');
        readLine(line, values.subarray(i * columns, (i + 1) * columns));
      }
      return values;
    },
    async close() {
      closeSync(file);
    },
  };
}
