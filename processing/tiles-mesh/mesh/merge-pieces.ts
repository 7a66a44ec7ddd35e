import { packAtlas } from '../texture/atlas.ts';
import { joinPieces, type Piece } from './piece.ts';

/** One surface of several, with one page of all images. @param scale of the images @param maxSide of the page, in pixels */
export function mergePieces(pieces: readonly Piece[], scale: number, maxSide: number): Piece {
  const images = pieces.flatMap(({ atlas }) => atlas ?? []);
  if (images.length === 0) return { ...joinPieces(pieces), atlas: undefined };
  if (pieces.length === 1 && scale === 1 && Math.max(images[0]!.width, images[0]!.height) <= maxSide)
    return pieces[0]!;
  const { page, places } = packAtlas(images, scale, maxSide);
  let next = 0;
  const moved = pieces.map((piece) => {
    if (piece.atlas === undefined || piece.uvs === undefined) return piece;
    const { scale: by, offset } = places[next++]!;
    return { ...piece, uvs: piece.uvs.map((value, i) => value * by[i % 2]! + offset[i % 2]!) };
  });
  return { ...joinPieces(moved), atlas: page };
}
