import type { TransformPlaces } from '@platen/geo/geodesy/lattice';
import type { LocalFrame } from '@platen/geo/geodesy/local-frame';
import { localFrameAt } from '@platen/geo/geodesy/local-frame';
import { voxelBits, type Cell } from '@platen/geo/point-tree/cloud';
import { JobFailure } from '../../job-type.ts';
import type { PointSheet, SheetBounds } from '../sheets/sheet.ts';

/** Units of places in a metre: 2^10, so that a millimetre is kept. */
export const unitsPerMetre = 1024;
/** Places take at most 32 bits. */
const maxSideBits = 32;
const minSideBits = 12;

/** The cube of the tree in a frame. */
export interface RootCube {
  readonly frame: LocalFrame;
  /** Its lowest corner in metres of the frame. */
  readonly corner: readonly [number, number, number];
  /** Its side in units is 2 to the power of this. */
  readonly sideBits: number;
}

/** A box in metres of the frame. */
export interface LocalBox {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

/** The share by which points may lie outside of the box in the header. */
export const boxMargin = 0.01;

/** The frame near the middle of all sheets: at whole degrees, so that it mostly stays where it is when sheets are added. */
export function frameOf(sheets: readonly PointSheet[]): LocalFrame {
  const edge = (index: 0 | 1 | 2 | 3, choose: (a: number, b: number) => number): number =>
    sheets.map(({ box }) => box[index]).reduce((a, b) => choose(a, b));
  const [west, east] = [edge(0, Math.min), edge(2, Math.max)];
  const [south, north] = [edge(1, Math.min), edge(3, Math.max)];
  return localFrameAt(Math.round((west + east) / 2), Math.round((south + north) / 2), 0);
}

/** The box of a sheet with its margin, in source coordinates. */
export function looseBox({ min, max }: SheetBounds): readonly [readonly number[], readonly number[]] {
  const margins = min.map((low, axis) => (max[axis]! - low) * boxMargin + 1e-9 + Math.abs(low) * 1e-9);
  return [min.map((low, axis) => low - margins[axis]!), max.map((high, axis) => high + margins[axis]!)];
}

const steps = 3;

/** The box of a sheet in the frame. */
export function localBoxOf(sheet: PointSheet, place: TransformPlaces): LocalBox {
  const [low, high] = looseBox(sheet);
  const places: number[] = [];
  for (let i = 0; i < steps ** 3; i++)
    places.push(
      ...[i % steps, Math.floor(i / steps) % steps, Math.floor(i / steps ** 2)].map(
        (step, axis) => low[axis]! + ((high[axis]! - low[axis]!) * step) / (steps - 1),
      ),
    );
  const placed = Float64Array.from(places);
  place(placed, steps ** 3);
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < placed.length; i++) {
    min[i % 3] = Math.min(min[i % 3]!, placed[i]!);
    max[i % 3] = Math.max(max[i % 3]!, placed[i]!);
  }
  return { min, max };
}

/**
 * The smallest cube around all boxes whose corner lies at a multiple of half its side. So all cells below it are the same
 * cells of the frame, whatever the cube. @param spacingMetres of the points of its root at least @throws JobFailure if it is too large
 */
export function rootCubeOf(frame: LocalFrame, boxes: readonly LocalBox[], spacingMetres = 0): RootCube {
  const min = [0, 1, 2].map(
    (axis) => Math.floor(boxes.reduce((low, box) => Math.min(low, box.min[axis]!), Infinity)) - 1,
  );
  const max = [0, 1, 2].map(
    (axis) => boxes.reduce((high, box) => Math.max(high, box.max[axis]!), -Infinity) + 1,
  );
  const spacingBits = Math.ceil(Math.log2(Math.max(1, spacingMetres * unitsPerMetre)));
  for (let sideBits = Math.max(minSideBits, spacingBits + voxelBits); sideBits <= maxSideBits; sideBits++) {
    const half = 2 ** (sideBits - 1) / unitsPerMetre;
    const corner = min.map((low) => Math.floor(low / half) * half);
    if (max.every((high, axis) => high - corner[axis]! <= 2 * half))
      return { frame, corner: [corner[0]!, corner[1]!, corner[2]!], sideBits };
  }
  throw new JobFailure(
    'invalidCoordinates',
    'The point clouds are more than 2000 km apart. Make a tileset of each region.',
  );
}

/** Cells are counted from the corner of a cube of 2^33 units, in the middle of which the frame lies. */
const latticeBits = maxSideBits + 1;

/** The corner of a root in units of the lattice of all cells of its frame. */
export function latticeCorner({ corner }: Pick<RootCube, 'corner'>): number[] {
  return corner.map((metres) => metres * unitsPerMetre + 2 ** (latticeBits - 1));
}

/** A cell of a root as cell of its frame, which does not depend on the root unless it is the root itself. */
export function latticeCellOf(root: RootCube, { level, x, y, z }: Cell): Cell {
  const side = 2 ** (root.sideBits - level);
  const [left, front, bottom] = latticeCorner(root).map((units) => Math.floor(units / side));
  return { level: latticeBits - root.sideBits + level, x: left! + x, y: front! + y, z: bottom! + z };
}

/** The cell below a root that is this cell of its frame; undefined if there is none. */
export function cellBelow(root: RootCube, { level, x, y, z }: Cell): Cell | undefined {
  const own = level - (latticeBits - root.sideBits);
  if (own < 1) return undefined;
  const side = 2 ** (root.sideBits - own);
  const [left, front, bottom] = latticeCorner(root).map((units) => units / side);
  const cell = { level: own, x: x - left!, y: y - front!, z: z - bottom! };
  return [cell.x, cell.y, cell.z].every((place) => place >= 0 && place < 2 ** own) ? cell : undefined;
}

/** The box of a cell of a frame. */
export function boxOfCell({ level, x, y, z }: Cell): LocalBox {
  const side = 2 ** (latticeBits - level) / unitsPerMetre;
  const middle = 2 ** (latticeBits - 1) / unitsPerMetre;
  const [left, front, bottom] = [x * side - middle, y * side - middle, z * side - middle];
  return { min: [left, front, bottom], max: [left + side, front + side, bottom + side] };
}
