/** What the header of a Draco bitstream claims, before anything is decoded. */
export interface DracoHeader {
  readonly faces: number;
  /** Of its connectivity; vertices on seams are several in what is decoded, at most three a face. */
  readonly vertices: number;
}

const magic = 'DRACO';
/** Version 2.2, which glTF requires. */
const version = [2, 2];
const triangularMesh = 1;
const hasMetadata = 0x8000;
const maxNesting = 10;

/** Reads the header of a mesh in Draco 2.2. Undefined if it is none. */
export function readDracoHeader(bytes: Uint8Array): DracoHeader | undefined {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [major, minor, type, method] = bytes.subarray(5, 9);
  const isMesh = String.fromCharCode(...bytes.subarray(0, 5)) === magic && type === triangularMesh;
  if (!isMesh || bytes.length < 11 || major !== version[0] || minor !== version[1]) return undefined;
  const cursor = { bytes, at: 11 };
  try {
    if ((data.getUint16(9, true) & hasMetadata) !== 0) skipAllMetadata(cursor);
    if (method === 0) return { faces: readVarint(cursor), vertices: readVarint(cursor) };
    // the edgebreaker, after its way to traverse
    cursor.at++;
    const vertices = readVarint(cursor);
    return { faces: readVarint(cursor), vertices };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** @throws RangeError at the end */
function readByte(cursor: Cursor): number {
  const byte = cursor.bytes[cursor.at++];
  if (byte === undefined) throw new RangeError('cut off');
  return byte;
}

function readVarint(cursor: Cursor): number {
  let value = 0;
  for (let factor = 1; factor < 2 ** 35; factor *= 128) {
    const byte = readByte(cursor);
    value += (byte & 127) * factor;
    if (byte < 128) return value;
  }
  throw new RangeError('a number of too many bytes');
}

/** Those of attributes, then that of the mesh. */
function skipAllMetadata(cursor: Cursor): void {
  for (let left = readVarint(cursor); left > 0; left--) {
    readVarint(cursor);
    skipMetadata(cursor, 0);
  }
  skipMetadata(cursor, 0);
}

function skipMetadata(cursor: Cursor, depth: number): void {
  if (depth > maxNesting) throw new RangeError('too deep');
  for (let left = readVarint(cursor); left > 0; left--) {
    skipName(cursor);
    const length = readVarint(cursor);
    cursor.at += length;
  }
  for (let left = readVarint(cursor); left > 0; left--) {
    skipName(cursor);
    skipMetadata(cursor, depth + 1);
  }
}

function skipName(cursor: Cursor): void {
  const length = readByte(cursor);
  cursor.at += length;
}
