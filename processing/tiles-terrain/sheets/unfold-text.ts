import { closeSync, openSync, writeSync } from 'node:fs';
import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import type { AsciiGrid } from '@platen/formats/grid/ascii-grid';
import { readNumbers } from '@platen/formats/text/read-numbers';
import { cellsOfPoints, gridOfPoints, type PointGrid } from '@platen/formats/grid/xyz-grid';

interface Target {
  readonly path: string;
  readonly signal: AbortSignal;
}

const chunkCells = 1 << 18;
/** Cells of a grid that is put in order in memory: 256 MB. */
const maxCells = 64 << 20;

/** Writes the numbers of an ASCII grid as floats. @throws BytesError where there are too few or too many */
export async function unfoldAscii(bytes: Bytes, grid: AsciiGrid, { path, signal }: Target): Promise<void> {
  const count = grid.columns * grid.rows;
  const file = openSync(path, 'w');
  try {
    const chunk = new Float32Array(Math.min(chunkCells, count));
    let [filled, written] = [0, 0];
    for await (const numbers of readNumbers(bytes, grid.dataOffset)) {
      signal.throwIfAborted();
      for (const value of numbers) {
        if (written + filled === count)
          throw new BytesError(`it has more than ${grid.columns} × ${grid.rows} heights`);
        chunk[filled++] = value;
        if (filled < chunk.length) continue;
        writeSync(file, chunk);
        written += filled;
        filled = 0;
      }
    }
    if (filled > 0) writeSync(file, chunk.subarray(0, filled));
    if (written + filled < count)
      throw new BytesError(`it is too short for its ${grid.columns} × ${grid.rows} cells`);
  } finally {
    closeSync(file);
  }
}

/** Whether the first lines have three or more numbers each. */
export async function looksLikeXyz(bytes: Bytes): Promise<boolean> {
  const text = Buffer.from(await bytes.read(0, 4096)).toString('latin1');
  const lines = text.split(/\r?\n/).slice(0, -1);
  const whole = (lines.length > 0 ? lines : [text]).filter((line) => line.trim() !== '').slice(0, 10);
  return (
    whole.length > 1 && whole.slice(1).every((line) => /^\s*[-+.\d]+(?:[\s,;]+[-+.\deE]+){2}/.test(line))
  );
}

/** Writes a text of x, y and height in any order as rows of floats from the north. @throws BytesError if it is no grid */
export async function unfoldXyz(bytes: Bytes, { path, signal }: Target): Promise<PointGrid> {
  const grid = await gridOfPoints(pointsOf(bytes, signal));
  const { columns, rows } = grid;
  if (columns * rows > maxCells)
    throw new BytesError(
      `its ${columns} × ${rows} points are too many for text: convert it to GeoTIFF (gdal_translate)`,
    );
  const cells = await cellsOfPoints(pointsOf(bytes, signal), grid);
  const file = openSync(path, 'w');
  try {
    for (let at = 0; at < cells.length; at += chunkCells)
      writeSync(file, cells.subarray(at, at + chunkCells));
  } finally {
    closeSync(file);
  }
  return grid;
}

async function* pointsOf(bytes: Bytes, signal: AbortSignal): AsyncGenerator<Float64Array> {
  for await (const points of readNumbers(bytes, 0, { perLine: 3 })) {
    signal.throwIfAborted();
    yield points;
  }
}
