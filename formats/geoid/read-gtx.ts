import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { readExactly, viewOf } from '../bytes/read-exactly.ts';
import { checkFrame, createGrid, type GeoidGrid, type GridFrame } from './geoid-grid.ts';
import { windowOf, type GeoidBox } from './grid-window.ts';

/**
 * A grid of NOAA's VDatum: latitude and longitude of the node in the south-west, the steps, rows and columns, then
 * floats, row by row from the south; all of it big-endian.
 */
const headerBytes = 40;
const nodeBytes = 4;
/** Metres: the value of nodes that have none. */
const noData = -88.8888;

/** @throws BytesError */
export async function readGtx(bytes: Bytes, box?: GeoidBox): Promise<GeoidGrid> {
  const file = await readHeader(bytes);
  const { frame, firstRow, targets } = windowOf(file, box);
  const values = new Float32Array(frame.columns * frame.rows);
  for (let row = 0; row < frame.rows; row++) {
    const fromSouth = file.rows - 1 - (firstRow + row);
    const lineBytes = file.columns * nodeBytes;
    const line = viewOf(await readExactly(bytes, headerBytes + fromSouth * lineBytes, lineBytes));
    for (let column = 0; column < file.columns; column++) {
      const target = targets[column]!;
      if (target < 0) continue;
      const value = line.getFloat32(column * nodeBytes);
      values[row * frame.columns + target] = Math.abs(value - noData) < 1e-3 ? NaN : value;
    }
  }
  return createGrid(frame, values);
}

async function readHeader(bytes: Bytes): Promise<GridFrame> {
  const view = viewOf(await readExactly(bytes, 0, headerBytes));
  const [south, west, latStep, lonStep] = [0, 8, 16, 24].map((at) => view.getFloat64(at)) as [
    number,
    number,
    number,
    number,
  ];
  const [rows, columns] = [view.getInt32(32), view.getInt32(36)];
  const frame = { columns, rows, west, north: south + (rows - 1) * latStep, lonStep, latStep };
  checkFrame(frame);
  const expected = headerBytes + rows * columns * nodeBytes;
  if (bytes.size !== expected)
    throw new BytesError(
      `its header announces ${expected} bytes, but it has ${bytes.size}: it is cut off or no .gtx grid`,
    );
  return frame;
}
