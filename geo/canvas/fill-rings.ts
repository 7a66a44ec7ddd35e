import { touchRows, type Box, type Canvas, type Path, type Placement } from './canvas.ts';

/** Scan lines per row of pixels; along them coverage is exact. */
const linesPerRow = 4;
/** A crossing is one number, its line times this plus its x, so that sorting needs no comparator. */
const maxWidth = 8192;

export type FillRings = (path: Path, placement: Placement, clip: Box) => void;

/**
 * Adds the inside of rings to the mask, by the even-odd rule. Coverage adds up, so polygons that share an edge leave no
 * gap, nor do the parts of one that was cut into tiles.
 */
export function createFill(canvas: Canvas): FillRings {
  let crossings = new Float64Array(1024);
  let count = 0;

  const cross = (line: number, x: number): void => {
    if (count === crossings.length) {
      const larger = new Float64Array(count * 2);
      larger.set(crossings);
      crossings = larger;
    }
    crossings[count++] = line * maxWidth + x;
  };

  return ({ coordinates, partEnds }, { scale, left, top }, clip) => {
    count = 0;
    const firstLine = Math.ceil(clip.top * linesPerRow - 0.5);
    const lastLine = Math.ceil(clip.bottom * linesPerRow - 0.5) - 1;
    let start = 0;
    for (const end of partEnds) {
      let x = left + coordinates[end * 2 - 2]! * scale;
      let y = (top + coordinates[end * 2 - 1]! * scale) * linesPerRow - 0.5;
      for (let at = start * 2; at < end * 2; at += 2) {
        const [fromX, fromY] = [x, y];
        x = left + coordinates[at]! * scale;
        y = (top + coordinates[at + 1]! * scale) * linesPerRow - 0.5;
        const first = Math.max(firstLine, Math.ceil(Math.min(fromY, y)));
        const last = Math.min(lastLine, Math.ceil(Math.max(fromY, y)) - 1);
        const slope = (x - fromX) / (y - fromY);
        for (let line = first; line <= last; line++) {
          cross(line, Math.min(clip.right, Math.max(clip.left, fromX + (line - fromY) * slope)));
        }
      }
      start = end;
    }
    if (count > 0) touchRows(canvas, Math.max(0, Math.floor(clip.top)), Math.ceil(clip.bottom) - 1);
    // Closed rings cross every line an even number of times.
    const sorted = crossings.subarray(0, count).sort();
    for (let i = 0; i + 1 < count; i += 2) {
      const line = Math.floor(sorted[i]! / maxWidth);
      cover(
        canvas,
        Math.floor(line / linesPerRow),
        sorted[i]! - line * maxWidth,
        sorted[i + 1]! - line * maxWidth,
      );
    }
  };
}

function cover({ mask, width }: Canvas, row: number, from: number, to: number): void {
  const weight = 1 / linesPerRow;
  const base = row * width;
  const first = Math.floor(from);
  const last = Math.min(width - 1, Math.floor(to));
  if (first >= width) return;
  if (first === last) {
    mask[base + first]! += (to - from) * weight;
    return;
  }
  mask[base + first]! += (first + 1 - from) * weight;
  for (let x = first + 1; x < last; x++) mask[base + x]! += weight;
  mask[base + last]! += Math.min(1, to - last) * weight;
}
