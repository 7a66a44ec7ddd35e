import { crc32, inflateRawSync } from 'node:zlib';
import { BytesError } from '../bytes/bytes.ts';
import { viewOf } from '../bytes/read-exactly.ts';
import { checkFrame, createGrid, maxNodes, type GeoidGrid, type GridFrame } from './geoid-grid.ts';

/**
 * A grid as the repository has it: a header of 64 bytes, then for every node, row by row from the north, the
 * difference between its value and the plane through its three neighbours before it, zigzag-coded plus one (0: no
 * value), as bytes of seven bits, deflated. All numbers are little-endian.
 */
export const packedLayout = {
  magic: 'PLGEOID1',
  columns: 8,
  rows: 12,
  west: 16,
  north: 24,
  lonStep: 32,
  latStep: 40,
  /** Metres of one in the stream. */
  unit: 48,
  payloadBytes: 56,
  /** CRC-32 of everything else. */
  checksum: 60,
  payload: 64,
} as const;

/** Bytes of a node: 28 bits are 268 km. */
const maxNodeBytes = 4;

/** @throws BytesError when it is not such a file, or is damaged */
export function readPackedGrid(bytes: Uint8Array): GeoidGrid {
  const { magic, payload } = packedLayout;
  if (Buffer.from(bytes.subarray(0, magic.length)).toString('latin1') !== magic)
    throw new BytesError('it is not a geoid grid of Platen');
  if (bytes.length < payload) throw new BytesError('it is cut off');
  const view = viewOf(bytes);
  const double = (at: number) => view.getFloat64(at, true);
  const payloadBytes = view.getUint32(packedLayout.payloadBytes, true);
  if (bytes.length < payload + payloadBytes) throw new BytesError('it is cut off');
  if (view.getUint32(packedLayout.checksum, true) !== checksumOf(bytes))
    throw new BytesError('its checksum is wrong: it was damaged or changed');
  const frame: GridFrame = {
    columns: view.getUint32(packedLayout.columns, true),
    rows: view.getUint32(packedLayout.rows, true),
    west: double(packedLayout.west),
    north: double(packedLayout.north),
    lonStep: double(packedLayout.lonStep),
    latStep: double(packedLayout.latStep),
  };
  checkFrame(frame);
  const nodes = frame.columns * frame.rows;
  if (nodes > maxNodes) throw new BytesError(`it has ${nodes} nodes, more than ${maxNodes}`);
  const stream = inflate(bytes.subarray(payload, payload + payloadBytes), nodes * maxNodeBytes);
  return createGrid(frame, decode(stream, frame, double(packedLayout.unit)));
}

export function checksumOf(bytes: Uint8Array): number {
  const { checksum, payload } = packedLayout;
  return crc32(bytes.subarray(payload), crc32(bytes.subarray(0, checksum)));
}

function inflate(packed: Uint8Array, maxOutputLength: number): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength });
  } catch (error) {
    throw new BytesError('its content is damaged', { cause: error });
  }
}

function decode(
  stream: Uint8Array,
  { columns, rows }: GridFrame,
  unitMetres: number,
): Float32Array<ArrayBuffer> {
  const values = new Float32Array(columns * rows);
  let before = new Int32Array(columns);
  let line = new Int32Array(columns);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let code = 0;
      let shift = 0;
      let byte: number;
      do {
        if (at === stream.length || shift > 21) throw new BytesError('its content is damaged');
        byte = stream[at++]!;
        code |= (byte & 127) << shift;
        shift += 7;
      } while (byte > 127);
      const plane = predict(line, before, column);
      const zigzag = code - 1;
      line[column] = code === 0 ? plane : plane + ((zigzag >>> 1) ^ -(zigzag & 1));
      values[row * columns + column] = code === 0 ? NaN : line[column]! * unitMetres;
    }
    [before, line] = [line, before];
  }
  if (at !== stream.length) throw new BytesError('its content is damaged');
  return values;
}

/** The plane through the neighbours in the west, the north and the north-west. */
export function predict(line: Int32Array, before: Int32Array, column: number): number {
  return column === 0 ? before[0]! : line[column - 1]! + before[column]! - before[column - 1]!;
}
