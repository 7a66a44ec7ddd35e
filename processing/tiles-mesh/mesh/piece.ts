import { Deserializer, Serializer } from 'node:v8';
import { readInto, type FileRange, type ScratchFile } from '../../kit/scratch-file.ts';

/** Metres of a unit of positions: those of all tiles are on one grid, so that what meets stays together. */
export const unitMetres = 1 / 8192;

/** Pixels, RGBA; where alpha is 0, no triangle is. */
export interface Atlas {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** A surface of triangles, with one image or with colours of its vertices. */
export interface Piece {
  /** East, north and up of each vertex in the frame of the job, in units. */
  readonly positions: Int32Array;
  /** u, v of each vertex in the atlas, v downwards. */
  readonly uvs: Float32Array | undefined;
  /** Red, green, blue and alpha of each vertex, in sRGB. */
  readonly colours: Uint8Array | undefined;
  readonly indices: Uint32Array;
  readonly atlas: Atlas | undefined;
}

/** Appends plain data with typed arrays to a scratch file. @returns its range; flush the file before others read it */
export function appendValue(file: ScratchFile, value: unknown): FileRange {
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  const start = file.length;
  file.append(serializer.releaseBuffer());
  return { path: file.path, start, end: file.length };
}

export function readValue(range: FileRange): unknown {
  const bytes = Buffer.allocUnsafeSlow(range.end - range.start);
  readInto(bytes, 0, range);
  const deserializer = new Deserializer(bytes);
  deserializer.readHeader();
  return deserializer.readValue();
}

/** Joins pieces that have the same kind of look; images stay apart. */
export function joinPieces(pieces: readonly Omit<Piece, 'atlas'>[]): Omit<Piece, 'atlas'> {
  const vertices = pieces.reduce((sum, { positions }) => sum + positions.length / 3, 0);
  const corners = pieces.reduce((sum, { indices }) => sum + indices.length, 0);
  const positions = new Int32Array(vertices * 3);
  const uvs = pieces.some((piece) => piece.uvs !== undefined) ? new Float32Array(vertices * 2) : undefined;
  const colours = pieces.some((piece) => piece.colours !== undefined)
    ? new Uint8Array(vertices * 4).fill(255)
    : undefined;
  const indices = new Uint32Array(corners);
  let [vertex, corner] = [0, 0];
  for (const piece of pieces) {
    positions.set(piece.positions, vertex * 3);
    if (piece.uvs !== undefined) uvs!.set(piece.uvs, vertex * 2);
    if (piece.colours !== undefined) colours!.set(piece.colours, vertex * 4);
    for (const index of piece.indices) indices[corner++] = vertex + index;
    vertex += piece.positions.length / 3;
  }
  return { positions, uvs, colours, indices };
}

/** Only the vertices that triangles use, in the order of their first use. */
export function compactPiece<P extends Omit<Piece, 'atlas'>>(piece: P): P {
  const count = piece.positions.length / 3;
  const numbers = new Int32Array(count).fill(-1);
  const used: number[] = [];
  const indices = piece.indices.map((vertex) => {
    if (numbers[vertex]! < 0) numbers[vertex] = used.push(vertex) - 1;
    return numbers[vertex]!;
  });
  const { uvs, colours } = piece;
  const positions = new Int32Array(used.length * 3);
  const ownUvs = uvs && new Float32Array(used.length * 2);
  const ownColours = colours && new Uint8Array(used.length * 4);
  for (const [to, from] of used.entries()) {
    for (let axis = 0; axis < 3; axis++) positions[to * 3 + axis] = piece.positions[from * 3 + axis]!;
    for (let axis = 0; axis < 2; axis++) if (uvs) ownUvs![to * 2 + axis] = uvs[from * 2 + axis]!;
    for (let band = 0; band < 4; band++) if (colours) ownColours![to * 4 + band] = colours[from * 4 + band]!;
  }
  return { ...piece, positions, uvs: ownUvs, colours: ownColours, indices };
}

/** Square metres of a triangle. */
export function areaOf(positions: Int32Array, a: number, b: number, c: number): number {
  const edge = (to: number, axis: number): number => positions[to * 3 + axis]! - positions[a * 3 + axis]!;
  const cross = (i: number, j: number): number => edge(b, i) * edge(c, j) - edge(b, j) * edge(c, i);
  return (Math.hypot(cross(1, 2), cross(2, 0), cross(0, 1)) / 2) * unitMetres * unitMetres;
}
