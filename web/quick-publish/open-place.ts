import type { Inspection } from '@platen/contract/inspect';
import { isObject } from '../ui/is-object.ts';

/** A model or scan whose coordinates say nothing about where on earth it is: a person has to say it. */
export interface OpenPlace {
  /** Corners of its box in units of the file, x to the right, y away, z upwards. */
  readonly min: Corner;
  readonly max: Corner;
  /** What points upwards in the file itself. */
  readonly upAxis: 'y' | 'z';
}

export type Corner = readonly [x: number, y: number, z: number];

/** The option `placement` of the jobs that place models and scans: see placement-options.ts. */
export type Placement = { readonly crs: string; readonly upAxis?: 'y' | 'z' } | PointPlacement;

interface PointPlacement {
  readonly longitude: number;
  readonly latitude: number;
  readonly height: number;
  readonly heading: number;
  readonly scale: number;
  readonly upAxis?: 'y' | 'z';
}

const placedByOptions = new Set(['mesh', 'pointCloud']);

/** Undefined where the data have a place, or a coordinate system would give them one. */
export function openPlace({
  kind,
  format,
  layers,
  issues,
}: Pick<Inspection, 'kind' | 'format' | 'layers' | 'issues'>): OpenPlace | undefined {
  if (kind === undefined || !placedByOptions.has(kind)) return undefined;
  if (!issues.some(({ code }) => code === 'noPlace')) return undefined;
  const box = boxOf(layers[0]?.details ?? {});
  return box && { ...box, upAxis: format === 'gltf' || format === 'glb' ? 'y' : 'z' };
}

function boxOf({
  extent,
  localBounds,
}: Readonly<Record<string, unknown>>): Omit<OpenPlace, 'upAxis'> | undefined {
  if (isNumbers(localBounds, 6)) return { min: cornerOf(localBounds), max: cornerOf(localBounds.slice(3)) };
  if (!isObject(extent)) return undefined;
  const { min, max } = extent;
  return isNumbers(min, 3) && isNumbers(max, 3) ? { min: cornerOf(min), max: cornerOf(max) } : undefined;
}

const isNumbers = (value: unknown, count: number): value is number[] =>
  Array.isArray(value) && value.length === count && value.every((one) => Number.isFinite(one));

const cornerOf = ([x = 0, y = 0, z = 0]: readonly number[]): Corner => [x, y, z];

/** The box of a model that is turned because another axis of its file points upwards. */
export function turnUpwards({ min, max, upAxis }: OpenPlace, wanted: 'y' | 'z'): Omit<OpenPlace, 'upAxis'> {
  if (wanted === upAxis) return { min, max };
  if (wanted === 'y') return { min: [min[0], -max[2], min[1]], max: [max[0], -min[2], max[1]] };
  return { min: [min[0], min[2], -max[1]], max: [max[0], max[2], -min[1]] };
}

/** Metres of a degree of latitude, near enough for a drawing. */
const metresPerDegree = 111_320;

/** Where a box in metres stands on a map: a closed ring of longitude and latitude. */
export function footprintOf(
  { min, max }: Omit<OpenPlace, 'upAxis'>,
  { longitude, latitude, heading, scale }: Omit<PointPlacement, 'height'>,
): [number, number][] {
  const angle = (heading * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const perLongitude = metresPerDegree * Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  const corners = [
    [min[0], min[1]],
    [max[0], min[1]],
    [max[0], max[1]],
    [min[0], max[1]],
    [min[0], min[1]],
  ] as const;
  return corners.map(([x, y]) => [
    longitude + ((x * cos + y * sin) * scale) / perLongitude,
    latitude + ((y * cos - x * sin) * scale) / metresPerDegree,
  ]);
}
