import { joinPieces, unitMetres, type Piece } from './piece.ts';

/** Adds strips below the edges where a surface ends at its tile, so that nobody looks through to the other side. */
export function addSkirts(
  piece: Piece,
  box: readonly [west: number, south: number, east: number, north: number],
  depthMetres: number,
): Piece {
  const { positions, indices } = piece;
  const edges = new Map<number, readonly [from: number, to: number]>();
  const key = (a: number, b: number): number => a * 2 ** 26 + b;
  const onBorder = (vertex: number, axis: number, at: number): boolean => positions[vertex * 3 + axis] === at;
  const isBorder = (a: number, b: number): boolean =>
    [0, 1].some((axis) =>
      [box[axis]!, box[axis + 2]!].some((at) => onBorder(a, axis, at) && onBorder(b, axis, at)),
    );
  for (let i = 0; i < indices.length; i++) {
    const [from, to] = [indices[i]!, indices[i % 3 === 2 ? i - 2 : i + 1]!];
    if (!isBorder(from, to)) continue;
    if (!edges.delete(key(to, from))) edges.set(key(from, to), [from, to]);
  }
  const vertices = [...edges.values()].flat();
  const depth = Math.ceil(depthMetres / unitMetres);
  const pick = <A extends Int32Array | Float32Array | Uint8Array>(from: A, width: number): A => {
    const to = new (from.constructor as new (length: number) => A)(vertices.length * 2 * width);
    for (const [i, vertex] of vertices.entries())
      for (let lowered = 0; lowered < 2; lowered++)
        for (let k = 0; k < width; k++) to[(i * 2 + lowered) * width + k] = from[vertex * width + k]!;
    return to;
  };
  const own = pick(positions, 3);
  for (let i = 5; i < own.length; i += 6) own[i]! -= depth;
  // from above, below, to above, below
  const strips = Uint32Array.from(
    Array.from(edges, (_, i) => [i * 4 + 1, i * 4 + 2, i * 4, i * 4 + 1, i * 4 + 3, i * 4 + 2]).flat(),
  );
  const skirts = {
    positions: own,
    uvs: piece.uvs && pick(piece.uvs, 2),
    colours: piece.colours && pick(piece.colours, 4),
    indices: strips,
  };
  return { ...joinPieces([piece, skirts]), atlas: piece.atlas };
}
