import { writePnts, type PointPositions } from '@platen/formats/tiles-3d/write-pnts';
import type { Cloud } from '@platen/geo/point-tree/cloud';
import { unitsPerMetre, type RootCube } from '../place/root-cube.ts';
import type { RecordColumns } from '../record-columns.ts';
import type { Settings } from '../settings.ts';
import { writePointsGlb } from './write-points-glb.ts';
import { valuesOf, type TileProperty } from './tile-properties.ts';

export interface EncodedTile {
  readonly content: Uint8Array;
  /** Lowest and highest x, y, z in units of the tree. */
  readonly box: readonly number[];
}

export interface TileEncoding {
  readonly root: RootCube;
  readonly columns: RecordColumns;
  readonly settings: Settings;
  readonly hasColours: boolean;
  readonly properties: readonly TileProperty[];
}

const steps = 65_535;

/** A tile of these points, in this order. */
export function encodeTile(cloud: Cloud, numbers: Uint32Array, encoding: TileEncoding): EncodedTile {
  const { columns, hasColours, properties } = encoding;
  const box = boxOf(cloud, numbers);
  const write = encoding.settings.encoding === 'glb' ? writePointsGlb : writePnts;
  const content = write({
    count: numbers.length,
    positions: positionsOf(cloud, numbers, box, encoding),
    colours: hasColours ? coloursOf(cloud, numbers, columns) : undefined,
    properties: properties.map((property) => valuesOf(property, cloud, numbers, encoding)),
  });
  return { content, box };
}

function boxOf({ columns }: Cloud, numbers: Uint32Array): number[] {
  const box = [0, 0, 0, 0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    const values = columns[axis]!;
    let [low, high] = [Infinity, -Infinity];
    for (const point of numbers) {
      const value = values[point]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    box[axis] = low;
    box[axis + 3] = high;
  }
  return box;
}

/** 16 bits of the tile's own box where that is precise enough, else floats from its middle. */
function positionsOf(
  { columns }: Cloud,
  numbers: Uint32Array,
  box: readonly number[],
  { root, settings }: TileEncoding,
): PointPositions {
  const sizes = [0, 1, 2].map((axis) => Math.max(1, box[axis + 3]! - box[axis]!));
  // a place is off by half a step at most
  const isPrecise = Math.max(...sizes) / steps / unitsPerMetre / 2 <= settings.precisionMetres;
  const metres = (axis: number, units: number): number => root.corner[axis]! + units / unitsPerMetre;
  if (isPrecise) {
    const values = new Uint16Array(numbers.length * 3);
    for (let axis = 0; axis < 3; axis++) {
      const [column, low, factor] = [columns[axis]!, box[axis]!, steps / sizes[axis]!];
      for (let i = 0; i < numbers.length; i++)
        values[i * 3 + axis] = Math.round((column[numbers[i]!]! - low) * factor);
    }
    return {
      kind: 'quantized',
      values,
      offset: [0, 1, 2].map((axis) => metres(axis, box[axis]!)),
      scale: sizes.map((size) => size / unitsPerMetre),
    };
  }
  const middle = [0, 1, 2].map((axis) => Math.round((box[axis]! + box[axis + 3]!) / 2));
  const values = new Float32Array(numbers.length * 3);
  for (let axis = 0; axis < 3; axis++) {
    const column = columns[axis]!;
    for (let i = 0; i < numbers.length; i++)
      values[i * 3 + axis] = (column[numbers[i]!]! - middle[axis]!) / unitsPerMetre;
  }
  return { kind: 'float', values, centre: [0, 1, 2].map((axis) => metres(axis, middle[axis]!)) };
}

function coloursOf({ columns }: Cloud, numbers: Uint32Array, { colour }: RecordColumns): Uint8Array {
  const values = new Uint8Array(numbers.length * 3);
  const words = columns[colour!]!;
  for (let i = 0; i < numbers.length; i++) {
    const word = words[numbers[i]!]!;
    values[i * 3] = word;
    values[i * 3 + 1] = word >>> 8;
    values[i * 3 + 2] = word >>> 16;
  }
  return values;
}
