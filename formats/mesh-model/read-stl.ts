import { eachLine } from '../mesh/each-line.ts';
import { SourceError } from '../source/source.ts';
import { readNumber, skipSpaces, type NumberCursor } from '../xml/read-numbers.ts';
import { GrowingArray } from './growing-array.ts';
import type { MeshModel, MeshObject, MeshReading } from './mesh-model.ts';

const headerBytes = 84;
const triangleBytes = 50;

/** Reads a binary STL. A cut-off file has the triangles that are there. @throws SourceError */
export function readBinaryStl(
  bytes: Uint8Array,
  name: string,
  { onNotice }: Pick<MeshReading, 'onNotice'>,
): MeshModel {
  if (bytes.length < headerBytes)
    throw new SourceError('truncatedFile', 'the file ends in its header: it is incomplete, upload it again');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declared = view.getUint32(80, true);
  const available = Math.floor((bytes.length - headerBytes) / triangleBytes);
  if (available < declared) onNotice('truncated', `${available} of ${declared} triangles`);
  const positions = new GrowingArray(new Float64Array(Math.min(declared, available) * 9));
  for (let triangle = 0; triangle < Math.min(declared, available); triangle++) {
    const at = headerBytes + triangle * triangleBytes + 12;
    const corners = Array.from({ length: 9 }, (_, i) => view.getFloat32(at + i * 4, true));
    if (corners.every((value) => Number.isFinite(value))) for (const value of corners) positions.push(value);
    else onNotice('badPositions', `triangle ${triangle + 1}`);
  }
  return { objects: [objectOf(name, positions.finish())], materials: [] };
}

/** Reads an STL of text: each `solid` is an object. */
export async function readAsciiStl(
  chunks: AsyncIterable<Uint8Array>,
  fileName: string,
  { onNotice }: Pick<MeshReading, 'onNotice'>,
): Promise<MeshModel> {
  const objects: MeshObject[] = [];
  let name = fileName;
  let positions = new GrowingArray(new Float64Array(0));
  let corners: number[] = [];
  const cursor: NumberCursor = { bytes: Buffer.alloc(0), at: 0, end: 0 };
  const next = (): number => {
    skipSpaces(cursor);
    return readNumber(cursor);
  };
  const end = (): void => {
    if (positions.length > 0) objects.push(objectOf(name, positions.finish()));
    positions = new GrowingArray(new Float64Array(0));
  };
  let isClosed = false;
  await eachLine(chunks, (bytes, from, to) => {
    let start = from;
    while (start < to && bytes[start]! <= 32) start++;
    const word = bytes.toString('latin1', start, Math.min(to, start + 8));
    if (word.startsWith('vertex')) {
      Object.assign(cursor, { bytes, at: start + 6, end: to });
      if (corners.length < 9) corners.push(next(), next(), next());
    } else if (word.startsWith('endfacet')) {
      if (corners.length === 9 && corners.every((value) => Number.isFinite(value)))
        for (const value of corners) positions.push(value);
      else onNotice('badPositions', name);
      corners = [];
    } else if (word.startsWith('solid')) {
      end();
      name = bytes.toString('utf8', start + 5, Math.min(to, start + 305)).trim() || fileName;
      isClosed = false;
    } else if (word.startsWith('endsolid')) isClosed = true;
  });
  if (!isClosed) onNotice('truncated', name);
  end();
  return { objects, materials: [] };
}

function objectOf(name: string, positions: Float64Array): MeshObject {
  const indices = Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);
  const part = { positions, uvs: undefined, colours: undefined, indices, material: -1 };
  return { name, attributes: new Map(), parts: [part] };
}
