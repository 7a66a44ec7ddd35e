import { transformPosition, type Matrix } from '@platen/geo/geodesy/matrix';
import type { PointBuffer } from './point-buffer.ts';
import type { Place } from './point-file.ts';

/** What a column of a table of points may hold. */
export const columnRoles = [
  'x',
  'y',
  'z',
  'red',
  'green',
  'blue',
  'intensity',
  'classification',
  'returnNumber',
  'numberOfReturns',
  'gpsTime',
  'pointSource',
  'userData',
  'scanAngle',
  'infrared',
] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** The number of the column of each role. Plain data. */
export type TableColumns = Readonly<Partial<Record<ColumnRole, number>>>;

/** What all rows of a table have in common. Plain data. */
export interface TableScan {
  readonly min: [x: number, y: number, z: number];
  readonly max: [x: number, y: number, z: number];
  count: number;
  intensityMin: number;
  intensityMax: number;
  intensitiesAreWhole: boolean;
  colourMax: number;
  coloursAreWhole: boolean;
}

export function createTableScan(): TableScan {
  return {
    min: [Infinity, Infinity, Infinity],
    max: [-Infinity, -Infinity, -Infinity],
    count: 0,
    intensityMin: Infinity,
    intensityMax: -Infinity,
    intensitiesAreWhole: true,
    colourMax: 0,
    coloursAreWhole: true,
  };
}

/** Farther from the origin is no place on Earth in any unit. */
const maxCoordinate = 1e10;

/** Whether a row has a place. */
export function hasPlace(values: Float64Array, { x, y, z }: TableColumns): boolean {
  return isPlace(values[x!]!) && isPlace(values[y!]!) && isPlace(values[z!]!);
}

const isPlace = (value: number): boolean => value <= maxCoordinate && value >= -maxCoordinate;

/** Takes a row that has a place into account. @param place of the row, transformed */
export function scanRow(
  scan: TableScan,
  values: Float64Array,
  { intensity, red, green, blue }: TableColumns,
  place: Place,
): void {
  scan.count++;
  growBox(scan, place);
  if (intensity !== undefined && Number.isFinite(values[intensity])) {
    const value = values[intensity]!;
    scan.intensityMin = Math.min(scan.intensityMin, value);
    scan.intensityMax = Math.max(scan.intensityMax, value);
    scan.intensitiesAreWhole &&= Number.isInteger(value);
  }
  for (const column of [red, green, blue]) {
    if (column === undefined || !Number.isFinite(values[column])) continue;
    scan.colourMax = Math.max(scan.colourMax, values[column]!);
    scan.coloursAreWhole &&= Number.isInteger(values[column]);
  }
}

/** Extends the box by a place. */
export function growBox({ min, max }: Pick<TableScan, 'min' | 'max'>, place: Place): void {
  for (let axis = 0; axis < 3; axis++) {
    if (place[axis]! < min[axis]!) min[axis] = place[axis]!;
    if (place[axis]! > max[axis]!) max[axis] = place[axis]!;
  }
}

const [byteMax, shortMax] = [255, 65_535];

/** The largest colour channel of the points of a table: colours from 0 to 1 become such of 16 bits. */
export function brightestOf(scan: TableScan, { red }: TableColumns): number | undefined {
  if (red === undefined) return undefined;
  return areShares(scan) ? shortMax : Math.min(shortMax, scan.colourMax);
}

const areShares = ({ colourMax, coloursAreWhole }: TableScan): boolean => colourMax <= 1 && !coloursAreWhole;

/** The steps of an intensity of −2048 to 2047, as PTS has them. */
const signedSteps = 4096;

/** What turns an intensity into one of 0 to 65535: what is added, and then the factor. */
function intensityScale(scan: TableScan): readonly [add: number, factor: number] {
  const { intensityMin: min, intensityMax: max, intensitiesAreWhole } = scan;
  if (min < 0) {
    const isSigned = intensitiesAreWhole && min >= -signedSteps / 2 && max < signedSteps / 2;
    return isSigned ? [signedSteps / 2, 16] : [-min, max > min ? shortMax / (max - min) : 1];
  }
  if (max <= 1 && !intensitiesAreWhole) return [0, shortMax];
  return [0, max > shortMax ? shortMax / max : 1];
}

export interface PointTable {
  /** Takes a row that has a place. */
  add(values: Float64Array): void;
  finish(): PointBuffer;
}

/** Makes points of rows. @param capacity the number of rows @param matrix from the rows' coordinates to those of the file */
export function createPointTable(
  columns: TableColumns,
  scan: TableScan,
  capacity: number,
  matrix?: Matrix,
): PointTable {
  const has = (role: ColumnRole): boolean => columns[role] !== undefined;
  const places = new Float64Array(capacity * 3);
  const colours = has('red') ? new Uint16Array(capacity * 3) : undefined;
  const shorts = (role: ColumnRole) => (has(role) ? new Uint16Array(capacity) : undefined);
  const bytes = (...roles: ColumnRole[]) => (roles.some(has) ? new Uint8Array(capacity) : undefined);
  const intensities = shorts('intensity');
  const sources = shorts('pointSource');
  const infrared = shorts('infrared');
  const classes = bytes('classification');
  const userData = bytes('userData');
  const returns = bytes('returnNumber', 'numberOfReturns');
  const gpsTimes = has('gpsTime') ? new Float64Array(capacity) : undefined;
  const scanAngles = has('scanAngle') ? new Float32Array(capacity) : undefined;
  const [add, factor] = intensityScale(scan);
  const colourFactor = areShares(scan) ? shortMax : 1;
  let count = 0;
  const whole = (value: number, max: number): number => (value > 0 ? Math.min(max, Math.round(value)) : 0);
  return {
    add(values) {
      const value = (role: ColumnRole): number => values[columns[role] ?? -1] ?? 0;
      const place = [value('x'), value('y'), value('z')] as const;
      places.set(matrix ? transformPosition(matrix, place) : place, count * 3);
      if (colours) {
        colours[count * 3] = whole(value('red') * colourFactor, shortMax);
        colours[count * 3 + 1] = whole(value('green') * colourFactor, shortMax);
        colours[count * 3 + 2] = whole(value('blue') * colourFactor, shortMax);
      }
      if (intensities) intensities[count] = whole((value('intensity') + add) * factor, shortMax);
      if (sources) sources[count] = whole(value('pointSource'), shortMax);
      if (infrared) infrared[count] = whole(value('infrared'), shortMax);
      if (classes) classes[count] = whole(value('classification'), byteMax);
      if (userData) userData[count] = whole(value('userData'), byteMax);
      if (returns)
        returns[count] = whole(value('returnNumber'), 15) | (whole(value('numberOfReturns'), 15) << 4);
      if (gpsTimes) gpsTimes[count] = value('gpsTime');
      if (scanAngles) scanAngles[count] = value('scanAngle');
      count++;
    },
    finish: () => ({
      count,
      places: places.subarray(0, count * 3),
      colours: colours?.subarray(0, count * 3),
      intensities: intensities?.subarray(0, count),
      classes: classes?.subarray(0, count),
      returns: returns?.subarray(0, count),
      gpsTimes: gpsTimes?.subarray(0, count),
      sources: sources?.subarray(0, count),
      userData: userData?.subarray(0, count),
      scanAngles: scanAngles?.subarray(0, count),
      infrared: infrared?.subarray(0, count),
    }),
  };
}
