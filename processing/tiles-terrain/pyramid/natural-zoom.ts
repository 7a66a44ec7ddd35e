/** Cells of terrain are at most this many times as large as those of the finest sheet. */
const maxCellRatio = 1.2;
export const maxBaseZoom = 22;

/**
 * The lowest zoom that is as fine as the sheets.
 * @param finest degrees of a pixel
 * @param whole degrees of the tile of zoom 0
 * @param side cells of a tile
 */
export function naturalZoomOf(finest: number, whole: number, side: number): number {
  return Math.max(0, Math.ceil(Math.log2(whole / side / (finest * maxCellRatio))));
}

/** The highest zoom of meshes by default. @param pixelDegrees of the finest sheet */
export function meshZoomOf(pixelDegrees: number): number {
  return Math.min(maxBaseZoom, naturalZoomOf(pixelDegrees, 180, 64));
}
