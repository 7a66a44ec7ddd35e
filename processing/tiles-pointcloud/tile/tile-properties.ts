import type { PointProperty } from '@platen/formats/tiles-3d/write-pnts';
import type { Cloud } from '@platen/geo/point-tree/cloud';
import type { RootCube } from '../place/root-cube.ts';
import { noNumber } from '../attributes.ts';
import type { ExtraColumn, RecordColumns } from '../record-columns.ts';
import type { AttributeName } from '../attribute-names.ts';
import { varies, type PointStatistics } from '../statistics.ts';
import { heightsOf } from './point-heights.ts';

/** A property that tiles have of each point. Plain data. */
export interface TileProperty {
  readonly attribute: AttributeName | 'extra' | 'distance';
  /** As styles name it. */
  readonly name: string;
  /** Of times: the seconds that they count from. */
  readonly origin: number;
  readonly extra?: ExtraColumn;
}

const names: Readonly<Record<AttributeName, string>> = {
  intensity: 'INTENSITY',
  classification: 'CLASSIFICATION',
  returnNumber: 'RETURN_NUMBER',
  numberOfReturns: 'NUMBER_OF_RETURNS',
  gpsTime: 'GPS_TIME',
  pointSource: 'POINT_SOURCE',
  userData: 'USER_DATA',
  scanAngle: 'SCAN_ANGLE',
  infrared: 'INFRARED',
  height: 'HEIGHT',
};

/** Those that were asked for, or else those usual ones that vary; heights where there would be nothing else to see. */
export function tileProperties(
  named: readonly AttributeName[] | undefined,
  { extras, distance }: Pick<RecordColumns, 'extras' | 'distance'>,
  statistics: PointStatistics,
  hasColours: boolean,
): TileProperty[] {
  const { classes, intensities, numbers, firstTime } = statistics;
  const usual: [AttributeName, Float64Array][] = [
    ['intensity', intensities],
    ['classification', classes],
    ['returnNumber', numbers],
  ];
  const varying = usual.flatMap(([attribute, counts]) => (varies(counts) ? [attribute] : []));
  const isPlain = varying.length === 0 && !hasColours;
  const chosen = named ?? (isPlain ? (['height'] as const) : varying);
  const origin = Number.isFinite(firstTime) ? Math.floor(firstTime) : 0;
  const own = chosen.map((attribute) => ({
    attribute,
    name: names[attribute],
    origin: attribute === 'gpsTime' ? origin : 0,
  }));
  const measured =
    distance === undefined ? [] : [{ attribute: 'distance', name: 'DISTANCE', origin: 0 } as const];
  const further = extras.map(
    (extra) => ({ attribute: 'extra', name: extra.property, origin: 0, extra }) as const,
  );
  return [...own, ...measured, ...further];
}

/** The values of points, in the types that viewers take. */
export function valuesOf(
  { attribute, name, origin, extra }: TileProperty,
  cloud: Cloud,
  numbers: Uint32Array,
  { columns: places, root }: { readonly columns: RecordColumns; readonly root: RootCube },
): PointProperty {
  const { columns } = cloud;
  const count = numbers.length;
  const column = (place: number | undefined): Uint32Array | undefined =>
    place === undefined ? undefined : columns[place];
  const bytes = (place: number | undefined, shift: number, mask = 255): PointProperty => ({
    name,
    values: unpackBits(column(place), numbers, { to: new Uint8Array(count), shift, mask }),
  });
  const shorts = (place: number | undefined, shift: number): PointProperty => ({
    name,
    values: unpackBits(column(place), numbers, { to: new Uint16Array(count), shift, mask: 0xffff }),
  });
  switch (attribute) {
    case 'extra':
      return { name, ...extraValues(extra!, cloud, numbers) };
    case 'height':
      return { name, values: heightsOf(cloud, numbers, root) };
    case 'intensity':
      return shorts(places.marks, 0);
    case 'classification':
      return bytes(places.marks, 16);
    case 'returnNumber':
      return bytes(places.marks, 24, 15);
    case 'numberOfReturns':
      return bytes(places.marks, 28, 15);
    case 'userData':
      return bytes(places.colour, 24);
    case 'pointSource':
      return shorts(places.source, 0);
    case 'infrared':
      return shorts(places.source, 16);
    case 'distance':
    case 'scanAngle': {
      const words = column(attribute === 'distance' ? places.distance : places.angle) ?? new Uint32Array(0);
      return { name, values: new Float32Array(gather(words, numbers).buffer) };
    }
    case 'gpsTime': {
      const values = new Float32Array(count);
      const [high, low] = [
        column(places.time),
        places.time === undefined ? undefined : columns[places.time + 1],
      ];
      const double = new Float64Array(1);
      const words = new Uint32Array(double.buffer);
      if (high && low)
        for (let i = 0; i < count; i++) {
          words[1] = high[numbers[i]!]!;
          words[0] = low[numbers[i]!]!;
          values[i] = double[0]! - origin;
        }
      return { name, values };
    }
  }
}

/** Some bits of the words of points. */
function unpackBits<T extends Uint8Array | Uint16Array>(
  words: Uint32Array | undefined,
  numbers: Uint32Array,
  { to, shift, mask }: { readonly to: T; readonly shift: number; readonly mask: number },
): T {
  if (words) for (let i = 0; i < to.length; i++) to[i] = (words[numbers[i]!]! >>> shift) & mask;
  return to;
}

function extraValues(
  { name, column, kind, mayBeMissing }: ExtraColumn,
  { columns }: Cloud,
  numbers: Uint32Array,
): Omit<PointProperty, 'name'> {
  const words = gather(columns[column]!, numbers);
  const values =
    kind === 'byte'
      ? Uint8Array.from(words)
      : kind === 'short'
        ? Uint16Array.from(words)
        : new Float32Array(words.buffer);
  return { values, title: name, ...(mayBeMissing && { noData: noNumber }) };
}

function gather(words: Uint32Array, numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  return Uint32Array.from(numbers, (point) => words[point] ?? 0);
}
