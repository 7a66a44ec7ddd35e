import { writePnts } from '@platen/formats/tiles-3d/write-pnts';
import type { Cloud } from '@platen/geo/point-tree/cloud';
import type { RootCube } from '../place/root-cube.ts';
import type { RecordColumns } from '../record-columns.ts';
import type { Settings } from '../settings.ts';
import { writePointsGlb } from './write-points-glb.ts';
import { orderForPacking } from './order-for-packing.ts';
import { positionsOf } from './tile-positions.ts';
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

/** A tile of these points. @param given their numbers, in Morton order for the most part */
export function encodeTile(cloud: Cloud, given: Uint32Array, encoding: TileEncoding): EncodedTile {
  const { columns, hasColours, properties } = encoding;
  const box = boxOf(cloud, given);
  const isGlb = encoding.settings.encoding === 'glb';
  // vertices of a GLB are packed as differences between neighbours
  const numbers = isGlb ? given : orderForPacking(cloud, given, encoding);
  const write = isGlb ? writePointsGlb : writePnts;
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
    let low = values[numbers[0]!]!;
    let high = low;
    for (let i = 1; i < numbers.length; i++) {
      const value = values[numbers[i]!]!;
      if (value < low) low = value;
      else if (value > high) high = value;
    }
    box[axis] = low;
    box[axis + 3] = high;
  }
  return box;
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
