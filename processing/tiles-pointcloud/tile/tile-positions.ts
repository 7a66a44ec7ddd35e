import type { PointPositions } from '@platen/formats/tiles-3d/write-pnts';
import type { Cloud } from '@platen/geo/point-tree/cloud';
import { unitsPerMetre, type RootCube } from '../place/root-cube.ts';
import type { Settings } from '../settings.ts';

const maxBits = 16;
const steps = 2 ** maxBits - 1;
/** By how much the place of a point is rounded to units of the tree at most. */
const roundedUnits = Math.sqrt(3) / 2;
/** Of the distance between points: places need not be told apart more finely. */
const spacingShare = 1 / 16;

interface Placing {
  readonly root: Pick<RootCube, 'corner'>;
  readonly settings: Pick<Settings, 'precisionMetres'>;
}

/**
 * Places of points, within the precision of where they are: up to 16 bits of the tile's own box where that is precise enough, else floats from its
 * middle. Bits that the precision does not need are 0, so that they take no room where tiles are packed.
 * @param box lowest and highest x, y, z in units of the tree
 */
export function positionsOf(
  { columns }: Cloud,
  numbers: Uint32Array,
  box: readonly number[],
  { root, settings }: Placing,
): PointPositions {
  const sizes = [0, 1, 2].map((axis) => Math.max(1, box[axis + 3]! - box[axis]!));
  const metres = (axis: number, units: number): number => root.corner[axis]! + units / unitsPerMetre;
  const maxMoved = settings.precisionMetres * unitsPerMetre - roundedUnits;
  // a place is off by half a step of each axis at most
  const step = Math.min((2 * maxMoved) / Math.sqrt(3), spacingOf(sizes, numbers.length) * spacingShare);
  if (Math.hypot(...sizes) / steps / 2 <= maxMoved) {
    const quantizing = sizes.map((size, axis): Quantizing => {
      const bits = Math.min(maxBits, Math.ceil(Math.log2(size / step + 1)));
      return { low: box[axis]!, shift: maxBits - bits, factor: (2 ** bits - 1) / size };
    });
    return {
      kind: 'quantized',
      values: quantize(columns, numbers, quantizing),
      offset: [0, 1, 2].map((axis) => metres(axis, box[axis]!)),
      scale: quantizing.map(({ shift, factor }) => steps / 2 ** shift / factor / unitsPerMetre),
    };
  }
  const middle = [0, 1, 2].map((axis) => Math.round((box[axis]! + box[axis + 3]!) / 2));
  const values = new Float32Array(numbers.length * 3);
  const rounding = 2 ** Math.floor(Math.log2(Math.max(1, step)));
  for (let axis = 0; axis < 3; axis++) {
    const column = columns[axis]!;
    for (let i = 0; i < numbers.length; i++)
      values[i * 3 + axis] =
        Math.round((column[numbers[i]!]! - middle[axis]!) / rounding) * (rounding / unitsPerMetre);
  }
  return { kind: 'float', values, centre: [0, 1, 2].map((axis) => metres(axis, middle[axis]!)) };
}

/** How a coordinate becomes a number of 16 bits. */
interface Quantizing {
  readonly low: number;
  readonly factor: number;
  readonly shift: number;
}

/** All axes of a point together: a third of the time of one axis after the other. */
function quantize(
  [xs, ys, zs]: Cloud['columns'],
  numbers: Uint32Array,
  [x, y, z]: readonly Quantizing[],
): Uint16Array {
  const values = new Uint16Array(numbers.length * 3);
  const [left, front, bottom] = [x!.low, y!.low, z!.low];
  const [factorX, factorY, factorZ] = [x!.factor, y!.factor, z!.factor];
  const [shiftX, shiftY, shiftZ] = [x!.shift, y!.shift, z!.shift];
  for (let i = 0, at = 0; i < numbers.length; i++, at += 3) {
    const point = numbers[i]!;
    // rounded
    values[at] = ((xs![point]! - left) * factorX + 0.5) << shiftX;
    values[at + 1] = ((ys![point]! - front) * factorY + 0.5) << shiftY;
    values[at + 2] = ((zs![point]! - bottom) * factorZ + 0.5) << shiftZ;
  }
  return values;
}

/** The distance of points that are spread evenly on a plane as large as their box. */
function spacingOf(sizes: readonly number[], count: number): number {
  const [, depth = 1, width = 1] = sizes.toSorted((a, b) => a - b);
  return Math.sqrt((width * depth) / count);
}
