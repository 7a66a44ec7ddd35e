import { baseLengthOf, layoutOf } from './point-format.ts';

export interface WrittenPoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly intensity?: number;
  readonly classification?: number;
  readonly colour?: readonly [number, number, number];
}

export interface WrittenLas {
  /** Minor version of LAS 1.x. */
  readonly minor?: 0 | 1 | 2 | 3 | 4;
  readonly pointFormat?: number;
  readonly points: readonly WrittenPoint[];
  readonly records?: readonly { readonly user: string; readonly id: number; readonly content: Buffer }[];
  readonly isWkt?: boolean;
  /** Further bytes of each point, equally many. */
  readonly extraBytes?: readonly Uint8Array[];
}

const scale = 0.01;

/** An uncompressed LAS 1.0 to 1.4, with coordinates in hundredths. */
export function writeLas({
  minor = 2,
  pointFormat = 0,
  points,
  records = [],
  isWkt = false,
  extraBytes = [],
}: WrittenLas): Buffer {
  const headerSize = minor === 4 ? 375 : minor === 3 ? 235 : 227;
  const recordLength = baseLengthOf(pointFormat)! + (extraBytes[0]?.length ?? 0);
  const placed = Buffer.concat(
    records.map(({ user, id, content }) => {
      const head = Buffer.alloc(54);
      head.write(user, 2, 'latin1');
      head.writeUInt16LE(id, 18);
      head.writeUInt16LE(content.length, 20);
      return Buffer.concat([head, content]);
    }),
  );
  const header = Buffer.alloc(headerSize);
  header.write('LASF');
  header.writeUInt16LE(isWkt ? 16 : 0, 6);
  header.writeUInt8(1, 24);
  header.writeUInt8(minor, 25);
  header.write('tests', 58, 'latin1');
  header.writeUInt16LE(2025, 92);
  header.writeUInt16LE(headerSize, 94);
  header.writeUInt32LE(headerSize + placed.length, 96);
  header.writeUInt32LE(records.length, 100);
  header.writeUInt8(pointFormat, 104);
  header.writeUInt16LE(recordLength, 105);
  header.writeUInt32LE(minor === 4 ? 0 : points.length, 107);
  for (const [i, axis] of (['x', 'y', 'z'] as const).entries()) {
    const values = points.map((point) => point[axis]);
    header.writeDoubleLE(scale, 131 + i * 8);
    header.writeDoubleLE(Math.floor(values[0] ?? 0), 155 + i * 8);
    header.writeDoubleLE(
      values.reduce((a, b) => Math.max(a, b), -Infinity),
      179 + i * 16,
    );
    header.writeDoubleLE(
      values.reduce((a, b) => Math.min(a, b), Infinity),
      187 + i * 16,
    );
  }
  if (minor === 4) header.writeBigUInt64LE(BigInt(points.length), 247);
  const body = points.flatMap((point, i) => [
    writePoint(point, pointFormat, points[0]!),
    extraBytes[i] ?? Buffer.alloc(0),
  ]);
  return Buffer.concat([header, placed, ...body]);
}

function writePoint(
  { x, y, z, intensity = 0, classification = 0, colour }: WrittenPoint,
  format: number,
  first: WrittenPoint,
): Buffer {
  const record = Buffer.alloc(baseLengthOf(format)!);
  const layout = layoutOf(format);
  record.writeInt32LE(Math.round((x - Math.floor(first.x)) / scale), 0);
  record.writeInt32LE(Math.round((y - Math.floor(first.y)) / scale), 4);
  record.writeInt32LE(Math.round((z - Math.floor(first.z)) / scale), 8);
  record.writeUInt16LE(intensity, layout.intensity);
  record.writeUInt8(classification, layout.classification);
  if (layout.colour !== undefined && colour)
    for (const [band, value] of colour.entries()) record.writeUInt16LE(value, layout.colour + band * 2);
  return record;
}

/** The record of GeoTIFF keys: key, place, count, value of each. */
export function keysRecord(keys: readonly (readonly [number, number, number, number])[]) {
  const shorts = [1, 1, 0, keys.length, ...keys.flat()];
  const content = Buffer.alloc(shorts.length * 2);
  for (const [i, value] of shorts.entries()) content.writeUInt16LE(value, i * 2);
  return { user: 'LASF_Projection', id: 34_735, content };
}

export function wktRecord(wkt: string) {
  return { user: 'LASF_Projection', id: 2112, content: Buffer.from(`${wkt}\0`) };
}

/** The record of LASzip for points of one item. */
export function laszipRecord(compressor: number, { type, version }: { type: number; version: number }) {
  const content = Buffer.alloc(40);
  content.writeUInt16LE(compressor, 0);
  for (const [i, value] of [1, type, 20, version].entries()) content.writeUInt16LE(value, 32 + i * 2);
  return { user: 'laszip encoded', id: 22_204, content };
}

export interface WrittenExtra {
  /** In UTF-8, or as bytes. */
  readonly name: string | Buffer;
  /** 0 to 30, as LAS numbers them. */
  readonly type: number;
  /** Of the type 0. */
  readonly length?: number;
  /** As stored, in 8 bytes. */
  readonly noData?: Buffer;
  readonly scale?: number;
  readonly offset?: number;
}

/** The record that describes extra bytes (LAS 1.4 R15, Extra Bytes). */
export function extraRecord(fields: readonly WrittenExtra[]) {
  const content = Buffer.concat(
    fields.map(({ name, type, length = 0, noData, scale: factor, offset }) => {
      const field = Buffer.alloc(192);
      field.writeUInt8(type, 2);
      const bits = (noData ? 1 : 0) | (factor === undefined ? 0 : 8) | (offset === undefined ? 0 : 16);
      field.writeUInt8(type === 0 ? length : bits, 3);
      field.set(Buffer.from(name).subarray(0, 32), 4);
      if (noData) field.set(noData, 40);
      // deprecated types have up to three of each
      for (let i = 0; i < 3; i++) {
        if (noData) field.set(noData, 40 + i * 8);
        field.writeDoubleLE(factor ?? 0, 112 + i * 8);
        field.writeDoubleLE(offset ?? 0, 136 + i * 8);
      }
      return field;
    }),
  );
  return { user: 'LASF_Spec', id: 4, content };
}
