import type { MosaicSheet } from './mosaic-sheet.ts';
import type { SheetWindow } from './read-sheets.ts';

/** A sheet on the grid of another. */
export interface GridNeighbour {
  readonly number: number;
  /** Of its first pixel, in pixels of the other. */
  readonly column: number;
  readonly row: number;
}

/** Finds the sheets on the grid of one that have pixels in a window of it, or around it; the uppermost first. */
export type FindNeighbours = (number: number, window: SheetWindow) => GridNeighbour[];

/** Pixels that a sheet may be off the grid, by rounding. */
const tolerance = 0.02;

type Placed = Pick<MosaicSheet, 'width' | 'height' | 'matrix' | 'crs'>;

/** A grid of pixels, and the sheets on it. */
interface PixelGrid {
  readonly first: Placed;
  /** Pixels of a cell, which is as large as the largest sheet. */
  cell: number;
  readonly members: Member[];
  cells: Map<string, Member[]> | undefined;
}

interface Member {
  readonly number: number;
  readonly sheet: Placed;
  /** Of its first pixel, from that of the first sheet; no whole numbers. */
  readonly column: number;
  readonly row: number;
}

export function findGridNeighbours(sheets: readonly Placed[]): FindNeighbours {
  const grids = new Map<string, PixelGrid>();
  const known = sheets.map((sheet, number) => {
    const [a, b, , d, e] = sheet.matrix;
    const key = [sheet.crs, ...[a, b, d, e].map((value) => Number(value.toPrecision(6)))].join(' ');
    const grid = grids.get(key) ?? { first: sheet, cell: 1, members: [], cells: undefined };
    grids.set(key, grid);
    const member = { number, sheet, ...placeOf(grid.first, sheet) };
    grid.members.push(member);
    grid.cell = Math.max(grid.cell, sheet.width, sheet.height);
    return { grid, member };
  });
  return (number, { column, row, width, height }) => {
    const { grid, member } = known[number]!;
    if (grid.members.length === 1) return [];
    grid.cells ??= cellsOf(grid);
    const [left, top] = [member.column + column, member.row + row];
    const cellAt = (pixels: number): number => Math.floor(pixels / grid.cell);
    const found = new Map<number, GridNeighbour>();
    for (let y = cellAt(top) - 1; y <= cellAt(top + height); y++)
      for (let x = cellAt(left) - 1; x <= cellAt(left + width); x++)
        for (const other of grid.cells.get(`${x} ${y}`) ?? []) {
          if (other.number === number || !haveSamePixels(member.sheet, other.sheet)) continue;
          const { column: across, row: down } = placeOf(member.sheet, other.sheet);
          const [wholeAcross, wholeDown] = [Math.round(across), Math.round(down)];
          const isOnGrid =
            Math.abs(across - wholeAcross) <= tolerance && Math.abs(down - wholeDown) <= tolerance;
          const touches =
            wholeAcross < column + width &&
            wholeDown < row + height &&
            wholeAcross + other.sheet.width > column &&
            wholeDown + other.sheet.height > row;
          if (isOnGrid && touches)
            found.set(other.number, { number: other.number, column: wholeAcross, row: wholeDown });
        }
    return [...found.values()].toSorted((one, other) => one.number - other.number);
  };
}

function placeOf(first: Placed, { matrix }: Placed): { readonly column: number; readonly row: number } {
  const [a, b, c, d, e, f] = first.matrix;
  const [x, y] = [matrix[2] - c, matrix[5] - f];
  const determinant = a * e - b * d;
  return { column: (e * x - b * y) / determinant, row: (a * y - d * x) / determinant };
}

/** By the cell of their first pixel. */
function cellsOf({ members, cell }: PixelGrid): Map<string, Member[]> {
  return Map.groupBy(members, ({ column, row }) => `${Math.floor(column / cell)} ${Math.floor(row / cell)}`);
}

function haveSamePixels(one: Placed, other: Placed): boolean {
  const far = Math.max(other.width, other.height);
  const size = Math.hypot(one.matrix[0], one.matrix[3]);
  return [0, 1, 3, 4].every((i) => Math.abs(one.matrix[i]! - other.matrix[i]!) * far <= tolerance * size);
}
