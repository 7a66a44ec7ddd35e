import type { Column } from './columns.ts';
import {
  createFlatWriter,
  endBuffer,
  startBuffer,
  startVector,
  writeString,
  writeTable,
} from './flat-writer.ts';

export interface HeaderContent {
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** 0 if each geometry says its own. */
  readonly geometryType: number;
  readonly columns: readonly Column[];
  readonly featureCount: number;
  /** 0: without an index. */
  readonly nodeSize: number;
  /** West, south, east, north; undefined without features. */
  readonly bbox: readonly [number, number, number, number] | undefined;
}

/** Version 3, patch 0. */
const magic = Buffer.of(0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0);

/** The file up to its index: header.fbs, in EPSG:4326. */
export function encodeHeader(content: HeaderContent): Buffer {
  const writer = createFlatWriter();
  startBuffer(writer);
  const { title, description, bbox, columns } = content;
  const offset = (present: boolean): number => (present ? 4 : 0);
  const sizes = [4, offset(bbox !== undefined), 1, 0, 0, 0, 0, 4, 8, 2, 4];
  const fields = writeTable(writer, 4, [
    ...sizes,
    offset(title !== undefined),
    offset(description !== undefined),
  ]);
  writer.bytes[fields[2]!] = content.geometryType;
  writer.view.setBigUint64(fields[8]!, BigInt(content.featureCount), true);
  writer.view.setUint16(fields[9]!, content.nodeSize, true);
  writeString(writer, fields[0]!, content.name);
  if (bbox !== undefined) {
    startVector(writer, fields[1]!, { count: 4, size: 8 });
    for (const value of bbox) {
      writer.view.setFloat64(writer.at, value, true);
      writer.at += 8;
    }
  }
  startVector(writer, fields[7]!, { count: columns.length, size: 4 });
  const first = writer.at;
  writer.at += columns.length * 4;
  for (const [i, { name, type }] of columns.entries()) {
    const column = writeTable(writer, first + i * 4, [4, 1]);
    writer.bytes[column[1]!] = type;
    writeString(writer, column[0]!, name);
  }
  const crs = writeTable(writer, fields[10]!, [4, 4, 4]);
  writer.view.setInt32(crs[1]!, 4326, true);
  writeString(writer, crs[0]!, 'EPSG');
  writeString(writer, crs[2]!, 'WGS 84');
  if (title !== undefined) writeString(writer, fields[11]!, title);
  if (description !== undefined) writeString(writer, fields[12]!, description);
  return Buffer.concat([magic, endBuffer(writer)]);
}
