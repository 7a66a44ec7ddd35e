import { writeFile } from 'node:fs/promises';

/** A shape as it stands in a record, without the record's header. Plain and slow: written apart from the reader. */
export type Shape =
  | { readonly type: 0 }
  | { readonly type: number; readonly points: readonly number[][]; readonly parts?: undefined }
  | { readonly type: number; readonly parts: readonly number[][][]; readonly partTypes?: readonly number[] };

export function encodeShape(shape: Shape): Buffer {
  const buffers: Buffer[] = [int32(shape.type)];
  if (!('points' in shape) && !('parts' in shape)) return buffers[0]!;
  const points = shape.parts === undefined ? shape.points : shape.parts.flat();
  const more = shape.type > 10 ? 1 + Number(shape.type < 20) : 0;
  if (shape.type % 10 === 1 && shape.type < 30) {
    return Buffer.concat([...buffers, doubles(points[0]!), doubles([7, 8].slice(0, more))]);
  }
  const xs = points.map(([x]) => x!);
  const ys = points.map(([, y]) => y!);
  const extreme = (values: readonly number[], of: (a: number, b: number) => number): number =>
    values.reduce((a, b) => of(a, b));
  buffers.push(
    doubles([extreme(xs, Math.min), extreme(ys, Math.min), extreme(xs, Math.max), extreme(ys, Math.max)]),
  );
  if (shape.parts !== undefined) buffers.push(int32(shape.parts.length));
  buffers.push(int32(points.length));
  let start = 0;
  for (const part of shape.parts ?? []) {
    buffers.push(int32(start));
    start += part.length;
  }
  if (shape.parts !== undefined && shape.partTypes !== undefined) buffers.push(...shape.partTypes.map(int32));
  buffers.push(doubles(points.flat()));
  for (let i = 0; i < more; i++) buffers.push(doubles([0, 1].concat(points.map(() => 7))));
  return Buffer.concat(buffers);
}

/** The .shp and its .shx. @param gap bytes of rubbish between records */
export function encodeShp(shapes: readonly Shape[], gap = 0): { shp: Buffer; shx: Buffer } {
  const records: Buffer[] = [];
  const index: Buffer[] = [];
  let at = 100;
  for (const [i, shape] of shapes.entries()) {
    const content = encodeShape(shape);
    index.push(int32BE(at / 2), int32BE(content.length / 2));
    records.push(int32BE(i + 1), int32BE(content.length / 2), content, Buffer.alloc(gap, 0xee));
    at += 8 + content.length + gap;
  }
  const type = shapes.find((shape) => shape.type !== 0)?.type ?? 0;
  return { shp: withHeader(records, type), shx: withHeader(index, type) };
}

function withHeader(buffers: readonly Buffer[], type: number): Buffer {
  const body = Buffer.concat(buffers);
  const header = Buffer.alloc(100);
  header.writeInt32BE(9994, 0);
  header.writeInt32BE((100 + body.length) / 2, 24);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(type, 32);
  return Buffer.concat([header, body]);
}

/** Cells as they stand in the file, already padded; `*` before a row deletes it. */
export interface Table {
  readonly fields: readonly { name: string; type: string; length: number; decimals?: number }[];
  readonly rows: readonly (readonly (string | Buffer)[])[];
  readonly deleted?: ReadonlySet<number>;
  readonly language?: number;
}

export function encodeDbf({ fields, rows, deleted, language = 0 }: Table): Buffer {
  const header = Buffer.alloc(32 + fields.length * 32 + 1);
  const recordBytes = fields.reduce((sum, { length }) => sum + length, 1);
  header[0] = 3;
  header.writeUInt32LE(rows.length, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(recordBytes, 10);
  header[29] = language;
  for (const [i, { name, type, length, decimals = 0 }] of fields.entries()) {
    header.write(name.slice(0, 10), 32 + i * 32, 'latin1');
    header.write(type, 32 + i * 32 + 11, 'latin1');
    header[32 + i * 32 + 16] = length;
    header[32 + i * 32 + 17] = decimals;
  }
  header[header.length - 1] = 0x0d;
  const records = rows.map((cells, row) => {
    const record = Buffer.alloc(recordBytes, ' ');
    if (deleted?.has(row) === true) record.write('*');
    let at = 1;
    for (const [i, cell] of cells.entries()) {
      record.set(
        (typeof cell === 'string' ? Buffer.from(cell, 'latin1') : cell).subarray(0, fields[i]!.length),
        at,
      );
      at += fields[i]!.length;
    }
    return record;
  });
  return Buffer.concat([header, ...records, Buffer.of(0x1a)]);
}

/** Writes `<base>.<ending>` of each. @returns the paths by their ending */
export async function writeParts(
  base: string,
  parts: Readonly<Record<string, Uint8Array | string>>,
): Promise<Record<string, string>> {
  const paths: Record<string, string> = {};
  for (const [ending, content] of Object.entries(parts)) {
    paths[ending] = `${base}.${ending}`;
    await writeFile(paths[ending], content);
  }
  return paths;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function int32BE(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function doubles(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [i, value] of values.entries()) bytes.writeDoubleLE(value, i * 8);
  return bytes;
}
