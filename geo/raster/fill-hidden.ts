import type { RgbSquare, SquarePart } from './rgb-square.ts';
import { wordsOf } from './words.ts';

/** Pixels of a block of JPEG with half the resolution of colours, by which hidden pixels change shown ones. */
const reach = 16;

/**
 * Gives hidden pixels of a part of a square the colours of shown ones near them: JPEG would carry others from below the mask into
 * the picture. Those that are farther away become black.
 */
export function fillHidden(square: RgbSquare, part: SquarePart): void {
  const { left, top, side } = part;
  const { rgb, alpha, side: stride } = square;
  const filled = new Uint8Array(side * side);
  for (let row = 0, mark = 0; row < side; row++) {
    let at = (top + row) * stride + left;
    for (const end = at + side; at < end; at++, mark++) {
      if (alpha[at] !== 0) filled[mark] = 1;
      else rgb[at * 3] = rgb[at * 3 + 1] = rgb[at * 3 + 2] = 0;
    }
  }
  // what is filled along rows is spread along columns, too
  for (const findEnds of [endsInRows, endsInColumns])
    for (const end of findEnds(filled, side)) spread(square, part, { end, filled });
}

/** A pixel with a colour beside one without. */
interface ColourEnd {
  /** Its number in the part. */
  readonly mark: number;
  /** To the next one without a colour. */
  readonly columns: -1 | 0 | 1;
  readonly rows: -1 | 0 | 1;
}

interface Spreading {
  readonly end: ColourEnd;
  /** 1 for each pixel of the part that has a colour. */
  readonly filled: Uint8Array;
}

function spread(square: RgbSquare, { left, top, side }: SquarePart, { end, filled }: Spreading): void {
  const { rgb, side: stride } = square;
  let [column, row] = [end.mark % side, Math.floor(end.mark / side)];
  const from = ((top + row) * stride + left + column) * 3;
  for (let count = 0; count < reach; count++) {
    column += end.columns;
    row += end.rows;
    const mark = row * side + column;
    if (column < 0 || row < 0 || column >= side || row >= side || filled[mark] === 1) break;
    const to = ((top + row) * stride + left + column) * 3;
    rgb[to] = rgb[from]!;
    rgb[to + 1] = rgb[from + 1]!;
    rgb[to + 2] = rgb[from + 2]!;
    filled[mark] = 1;
  }
}

/** Four pixels that have colours. */
const allFilled = 0x0101_0101;

function endsInRows(filled: Uint8Array, side: number): ColourEnd[] {
  const ends: ColourEnd[] = [];
  const words = wordsOf(filled);
  for (let row = 0; row < side; row++) {
    let former = filled[row * side]!;
    for (let at = (row * side) / 4, end = at + side / 4; at < end; at++) {
      if (words[at] === (former === 1 ? allFilled : 0)) continue;
      for (let mark = at * 4; mark < at * 4 + 4; mark++) {
        const one = filled[mark]!;
        if (one === former) continue;
        ends.push(one === 1 ? { mark, columns: -1, rows: 0 } : { mark: mark - 1, columns: 1, rows: 0 });
        former = one;
      }
    }
  }
  return ends;
}

function endsInColumns(filled: Uint8Array, side: number): ColourEnd[] {
  const ends: ColourEnd[] = [];
  const words = wordsOf(filled);
  for (let at = side / 4; at < words.length; at++) {
    if (words[at] === words[at - side / 4]) continue;
    for (let mark = at * 4; mark < at * 4 + 4; mark++) {
      const above = mark - side;
      if (filled[mark] === filled[above]) continue;
      ends.push(filled[mark] === 1 ? { mark, columns: 0, rows: -1 } : { mark: above, columns: 0, rows: 1 });
    }
  }
  return ends;
}
