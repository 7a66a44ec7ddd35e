import { MeshoptSimplifier } from 'meshoptimizer/simplifier';
import { compactPiece, unitMetres, type Piece } from './piece.ts';

/** Resolves once pieces can be simplified. */
export const simplifierReady = (): Promise<void> => MeshoptSimplifier.ready;

export interface SimplifyOptions {
  readonly triangles: number;
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** Vertices where tiles meet stay; otherwise only the corners of tiles do, and skirts hide what opens. */
  readonly keepsBorder: boolean;
}

/** How much image coordinates count, by the size of the surface, and colours. */
const uvWeight = 0.5;
const colourWeight = 0.1;

/**
 * A surface of fewer triangles (Garland and Heckbert 1997, by meshoptimizer).
 * @returns it, and how far it is from the given one in metres
 */
export function simplifyPiece(
  piece: Piece,
  { triangles, box, keepsBorder }: SimplifyOptions,
): { readonly piece: Piece; readonly error: number } {
  if (piece.indices.length <= triangles * 3) return { piece, error: 0 };
  const { positions, uvs, colours } = piece;
  const count = positions.length / 3;
  const metres = new Float32Array(count * 3);
  const origin = [box[0], box[1], positions[2]!];
  for (let i = 0; i < metres.length; i++) metres[i] = (positions[i]! - origin[i % 3]!) * unitMetres;
  const width = uvs === undefined ? 3 : 2;
  const attributes = new Float32Array(count * width);
  for (let vertex = 0; vertex < count; vertex++)
    for (let i = 0; i < width; i++)
      attributes[vertex * width + i] =
        uvs === undefined ? (colours?.[vertex * 4 + i] ?? 0) / 255 : uvs[vertex * 2 + i]!;
  const weights = Array.from({ length: width }, () => (uvs === undefined ? colourWeight : uvWeight));
  const locks = new Uint8Array(count);
  const needed = keepsBorder ? 1 : 2;
  for (let vertex = 0; vertex < count; vertex++) {
    const [x, y] = [positions[vertex * 3]!, positions[vertex * 3 + 1]!];
    const edges = Number(x === box[0] || x === box[2]) + Number(y === box[1] || y === box[3]);
    if (edges >= needed) locks[vertex] = 1;
  }
  const [indices, error] = MeshoptSimplifier.simplifyWithAttributes(
    piece.indices, metres, 3, attributes, width, weights, locks, triangles * 3, 1e6, ['ErrorAbsolute'],
  ); // prettier-ignore
  return { piece: compactPiece({ ...piece, indices }), error };
}
