/** Lengths of the point formats 0 to 10 in bytes, without extra bytes (LAS 1.4 R15, 2.6). */
const baseLengths = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67];

export function baseLengthOf(pointFormat: number): number | undefined {
  return baseLengths[pointFormat];
}

const gpsTimes: Readonly<Record<number, number>> = { 1: 20, 3: 20, 4: 20, 5: 20 };
const colours: Readonly<Record<number, number>> = { 2: 20, 3: 28, 5: 28, 7: 30, 8: 30, 10: 30 };
const infrareds: Readonly<Record<number, number>> = { 8: 36, 10: 36 };
const wavePackets: Readonly<Record<number, number>> = { 4: 28, 5: 34, 9: 30, 10: 38 };

/** Offsets in a point record; undefined for fields it does not have. */
export interface PointLayout {
  readonly intensity: number;
  readonly classification: number;
  /** Older formats have flags in the class's highest bits. */
  readonly classMask: number;
  readonly colour: number | undefined;
  readonly infrared: number | undefined;
  readonly gpsTime: number | undefined;
  readonly wavePacket: number | undefined;
}

export function layoutOf(pointFormat: number): PointLayout {
  const isNew = pointFormat >= 6;
  return {
    intensity: 12,
    classification: isNew ? 16 : 15,
    classMask: isNew ? 255 : 31,
    colour: colours[pointFormat],
    infrared: infrareds[pointFormat],
    gpsTime: isNew ? 22 : gpsTimes[pointFormat],
    wavePacket: wavePackets[pointFormat],
  };
}

export interface PointField {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'string';
}

const integer = (name: string): PointField => ({ name, type: 'integer' });

/** The fields of a point besides its position. */
export function fieldsOf(pointFormat: number): PointField[] {
  const isNew = pointFormat >= 6;
  return [
    integer('Intensity'),
    integer('ReturnNumber'),
    integer('NumberOfReturns'),
    integer('Classification'),
    { name: 'ScanAngle', type: isNew ? 'number' : 'integer' },
    integer('UserData'),
    integer('PointSourceId'),
    ...(isNew ? [integer('ScannerChannel')] : []),
    ...(isNew || gpsTimes[pointFormat] !== undefined ? [{ name: 'GpsTime', type: 'number' } as const] : []),
    ...(colours[pointFormat] === undefined ? [] : ['Red', 'Green', 'Blue'].map(integer)),
    ...(infrareds[pointFormat] === undefined ? [] : [integer('Infrared')]),
    ...(wavePackets[pointFormat] !== undefined ? [integer('WaveformPacket')] : []),
  ];
}

/** ASPRS's standard classes. */
const classNames: Readonly<Record<number, string>> = {
  0: 'never classified',
  1: 'unclassified',
  2: 'ground',
  3: 'low vegetation',
  4: 'medium vegetation',
  5: 'high vegetation',
  6: 'building',
  7: 'low noise',
  8: 'key point',
  9: 'water',
  10: 'rail',
  11: 'road',
  12: 'overlap',
  13: 'wire guard',
  14: 'wire',
  15: 'transmission tower',
  16: 'wire connector',
  17: 'bridge',
  18: 'high noise',
  19: 'overhead structure',
  20: 'ignored ground',
  21: 'snow',
  22: 'temporal exclusion',
};

export function className(code: number): string {
  return classNames[code] ?? (code < 64 ? `reserved ${code}` : `user-defined ${code}`);
}
