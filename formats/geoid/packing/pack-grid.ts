import { deflateRawSync } from 'node:zlib';
import type { GeoidGrid } from '../geoid-grid.ts';
import { checksumOf, packedLayout, predict } from '../read-packed-grid.ts';

/** The form that `readPackedGrid` reads. @param unitMetres what values are rounded to */
export function packGrid(grid: GeoidGrid, unitMetres: number): Buffer {
  const payload = deflateRawSync(encode(grid, unitMetres), { level: 9, memLevel: 9 });
  const bytes = Buffer.concat([Buffer.alloc(packedLayout.payload), payload]);
  bytes.write(packedLayout.magic, 'latin1');
  bytes.writeUInt32LE(grid.columns, packedLayout.columns);
  bytes.writeUInt32LE(grid.rows, packedLayout.rows);
  for (const name of ['west', 'north', 'lonStep', 'latStep'] as const)
    bytes.writeDoubleLE(grid[name], packedLayout[name]);
  bytes.writeDoubleLE(unitMetres, packedLayout.unit);
  bytes.writeUInt32LE(payload.length, packedLayout.payloadBytes);
  bytes.writeUInt32LE(checksumOf(bytes), packedLayout.checksum);
  return bytes;
}

function encode({ columns, rows, values }: GeoidGrid, unitMetres: number): Uint8Array {
  const stream: number[] = [];
  let before = new Int32Array(columns);
  let line = new Int32Array(columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const plane = predict(line, before, column);
      const value = values[row * columns + column]!;
      line[column] = Number.isNaN(value) ? plane : Math.round(value / unitMetres);
      const difference = line[column]! - plane;
      let code = Number.isNaN(value) ? 0 : ((difference << 1) ^ (difference >> 31)) + 1;
      for (; code > 127; code >>>= 7) stream.push((code & 127) | 128);
      stream.push(code);
    }
    [before, line] = [line, before];
  }
  return Uint8Array.from(stream);
}
