import { BytesError } from '../bytes/bytes.ts';
import { hasPlace, type ColumnRole, type TableColumns } from '../points/point-table.ts';
import { decodeField } from './e57-field.ts';
import type { E57Packets } from './e57-packets.ts';
import type { E57Scan } from './read-e57.ts';

/** The points of a scan as rows: x, y, z in the coordinates of the scanner, and what else they have. */
export interface ScanRows {
  readonly roles: readonly ColumnRole[];
  /** Records that are there. */
  readonly count: number;
  /** Visits valid records from one number to another. The row is valid during the call only. */
  each(range: readonly [first: number, end: number], visit: (row: Float64Array) => void): Promise<void>;
}

/** The number of the column of each role. */
export function rowColumns({ roles }: ScanRows): TableColumns {
  return Object.fromEntries(roles.map((role, column) => [role, column]));
}

const fieldsOfRoles: readonly (readonly [ColumnRole, string])[] = [
  ['red', 'colorRed'],
  ['green', 'colorGreen'],
  ['blue', 'colorBlue'],
  ['intensity', 'intensity'],
  ['classification', 'classification'],
  ['returnNumber', 'returnIndex'],
  ['numberOfReturns', 'returnCount'],
  ['gpsTime', 'timeStamp'],
];
const cartesian = ['cartesianX', 'cartesianY', 'cartesianZ'];
const spherical = ['sphericalRange', 'sphericalAzimuth', 'sphericalElevation'];

/** Records that are decoded at once. */
const batch = 65_536;

/** @throws BytesError if the scan has no coordinates, or is packed in an unknown way */
export async function openScanRows(scan: E57Scan, packets: E57Packets): Promise<ScanRows> {
  if (scan.codec !== undefined)
    throw new BytesError(`its points are packed by the unknown codec ${scan.codec}`);
  const fieldOf = (name: string): number =>
    scan.fields.findIndex((field) => field.name === name && field.kind !== 'other');
  const has = (name: string): boolean => fieldOf(name) >= 0;
  const isSpherical = !cartesian.every(has);
  const axes = isSpherical ? spherical : cartesian;
  if (!axes.every(has)) throw new BytesError('one of its scans has no coordinates');
  const others = fieldsOfRoles.filter(([, name]) => has(name));
  const names = [...axes, ...others.map(([, name]) => name)];
  const state = isSpherical ? 'sphericalInvalidState' : 'cartesianInvalidState';
  const read = (name: string, first: number, end: number) =>
    readField(scan, packets, fieldOf(name), [first, end]);
  return {
    roles: ['x', 'y', 'z', ...others.map(([role]) => role)],
    count: recordsOf(scan, packets, names.map(fieldOf)),
    async each([first, end], visit) {
      const row = new Float64Array(names.length);
      const columns = { x: 0, y: 1, z: 2 };
      const indexColumn = names.indexOf('returnIndex');
      for (let from = first; from < end; from += batch) {
        const to = Math.min(end, from + batch);
        const fields = [];
        for (const name of names) fields.push(await read(name, from, to));
        const invalid = has(state) ? await read(state, from, to) : undefined;
        for (let i = 0; i < to - from; i++) {
          if (invalid && invalid[i] !== 0) continue;
          for (let column = 0; column < names.length; column++) row[column] = fields[column]![i]!;
          if (isSpherical) toCartesian(row);
          // counted from 0
          if (indexColumn >= 0) row[indexColumn]!++;
          if (hasPlace(row, columns)) visit(row);
        }
      }
    },
  };
}

/** Range, azimuth and elevation in radians become x, y and z. */
function toCartesian(row: Float64Array): void {
  const [range, azimuth, elevation] = [row[0]!, row[1]!, row[2]!];
  row[0] = range * Math.cos(elevation) * Math.cos(azimuth);
  row[1] = range * Math.cos(elevation) * Math.sin(azimuth);
  row[2] = range * Math.sin(elevation);
}

/** The records that all of these fields have. @throws BytesError if none of them takes room */
function recordsOf({ fields, points }: E57Scan, { before }: E57Packets, needed: readonly number[]): number {
  if (!Number.isSafeInteger(points) || points < 0)
    throw new BytesError('the number of its points is damaged');
  const packed = needed.filter((field) => fields[field]!.bits! > 0);
  if (packed.length === 0) throw new BytesError('all points of one of its scans are the same');
  return packed.reduce((min, field) => {
    const there = Math.floor((before[field]!.at(-1)! * 8) / fields[field]!.bits!);
    return Math.min(min, there);
  }, points);
}

async function readField(
  { fields }: E57Scan,
  packets: E57Packets,
  number: number,
  [first, end]: readonly [number, number],
): Promise<Float64Array> {
  const field = fields[number]!;
  const bits = field.bits ?? 0;
  const start = Math.floor((first * bits) / 8);
  const packed = await packets.read(number, start, Math.ceil((end * bits) / 8));
  return decodeField(field, packed, first * bits - start * 8, end - first);
}
