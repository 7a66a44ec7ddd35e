import { geodeticOf, type Vector } from '@platen/geo/geodesy/geocentric';
import { localFrameAt } from '@platen/geo/geodesy/local-frame';
import type { Matrix } from '@platen/geo/geodesy/matrix';
import { asArray, asNumbers, asObject, type JsonObject } from '../json/read-values.ts';
import { readBinaryColumn } from './binary-column.ts';
import type { TileInstance } from './split-content.ts';

interface InstanceContext {
  readonly count: number;
  readonly center: readonly number[] | undefined;
}

/** Where x, y and z of a model whose z is upwards point to. */
type Axes = readonly [x: Vector, y: Vector, z: Vector];

/** The places of an i3dm (OGC 18-053r2, 11.3). Undefined if a part of them is not there. */
export function readInstances(
  features: JsonObject,
  binary: Uint8Array,
  { count, center = [0, 0, 0] }: InstanceContext,
): TileInstance[] | undefined {
  const column = (name: string, componentType: string, type: string): readonly number[][] | undefined => {
    const place = asObject(features[name]);
    const values =
      place && readBinaryColumn({ byteOffset: place['byteOffset'] }, binary, count, { componentType, type });
    return values?.map((value) => (typeof value === 'number' ? [value] : value));
  };
  const positions = positionsOf(features, column);
  if (positions === undefined) return undefined;
  const axes = axesOf(features, column);
  if (axes === undefined) return undefined;
  const uniform = column('SCALE', 'FLOAT', 'SCALAR');
  const scales = column('SCALE_NON_UNIFORM', 'FLOAT', 'VEC3');
  const batchType = asObject(features['BATCH_ID'])?.['componentType'];
  const batches = column('BATCH_ID', typeof batchType === 'string' ? batchType : 'UNSIGNED_SHORT', 'SCALAR');
  return Array.from({ length: count }, (_, i): TileInstance => {
    const position = positions[i]!.map((value, axis) => value + center[axis]!) as unknown as Vector;
    const [first, second, third] = axes(i, position);
    const size = uniform?.[i]?.[0] ?? 1;
    const [sx, sy, sz] = (scales?.[i] ?? [1, 1, 1]).map((value) => value * size) as [number, number, number];
    const scaled = ([x, y, z]: Vector, by: number): Vector => [x * by, y * by, z * by];
    const matrix: Matrix = [
      ...scaled(first, sx),
      0,
      ...scaled(second, sy),
      0,
      ...scaled(third, sz),
      0,
      ...position,
      1,
    ];
    return { matrix, feature: batches?.[i]?.[0] ?? i };
  });
}

type Column = (name: string, componentType: string, type: string) => readonly number[][] | undefined;

function positionsOf(features: JsonObject, column: Column): readonly (readonly number[])[] | undefined {
  const plain = column('POSITION', 'FLOAT', 'VEC3');
  if (plain !== undefined) return plain;
  const quantised = column('POSITION_QUANTIZED', 'UNSIGNED_SHORT', 'VEC3');
  const offset = asNumbers(features['QUANTIZED_VOLUME_OFFSET'], 3);
  const scale = asNumbers(features['QUANTIZED_VOLUME_SCALE'], 3);
  if (quantised === undefined || offset === undefined || scale === undefined) return undefined;
  return quantised.map((steps) => steps.map((step, axis) => offset[axis]! + (step / 65_535) * scale[axis]!));
}

/** Where the axes of each instance point to: engines map x to the right vector, and y to what the format calls up. */
function axesOf(
  features: JsonObject,
  column: Column,
): ((instance: number, position: Vector) => Axes) | undefined {
  const names = ['NORMAL_UP', 'NORMAL_RIGHT', 'NORMAL_UP_OCT32P', 'NORMAL_RIGHT_OCT32P'];
  const isTurned = names.some((name) => asArray(features[name]) !== undefined || asObject(features[name]));
  if (!isTurned) {
    if (features['EAST_NORTH_UP'] !== true)
      return () => [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ];
    return (_, position) => {
      const [lon, lat, height] = geodeticOf(position);
      const { east, north, up } = localFrameAt(lon, lat, height);
      return [east, north, up];
    };
  }
  const ups =
    column('NORMAL_UP', 'FLOAT', 'VEC3') ??
    column('NORMAL_UP_OCT32P', 'UNSIGNED_SHORT', 'VEC2')?.map(decodeOct);
  const rights =
    column('NORMAL_RIGHT', 'FLOAT', 'VEC3') ??
    column('NORMAL_RIGHT_OCT32P', 'UNSIGNED_SHORT', 'VEC2')?.map(decodeOct);
  if (ups === undefined || rights === undefined) return undefined;
  return (instance) => {
    const [right, up] = [normalised(rights[instance]!), normalised(ups[instance]!)];
    return [right, up, normalised(cross(right, up))];
  };
}

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function normalised(vector: readonly number[]): Vector {
  const length = Math.hypot(...vector) || 1;
  return [vector[0]! / length, vector[1]! / length, vector[2]! / length];
}

/** A direction of two 16-bit numbers on an octahedron (Cigolle et al. 2014). */
function decodeOct([first, second]: readonly number[]): number[] {
  const [x, y] = [(first! / 65_535) * 2 - 1, (second! / 65_535) * 2 - 1];
  const z = 1 - Math.abs(x) - Math.abs(y);
  if (z >= 0) return [x, y, z];
  return [(1 - Math.abs(y)) * Math.sign(x || 1), (1 - Math.abs(x)) * Math.sign(y || 1), z];
}
