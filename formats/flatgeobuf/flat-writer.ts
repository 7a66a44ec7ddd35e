/**
 * Writes FlatBuffers forwards (see its "Internals" page): a table first, then what its fields point to. Values are
 * aligned to multiples of their size, counted from the start of the buffer, whose first four bytes are its length.
 */
export interface FlatWriter {
  bytes: Buffer;
  view: DataView;
  /** Position of the next byte, which is the length so far. */
  at: number;
}

export function createFlatWriter(): FlatWriter {
  const bytes = Buffer.alloc(1 << 16);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), at: 0 };
}

/** Ensures capacity for this many more bytes. */
export function reserve(writer: FlatWriter, more: number): void {
  if (writer.at + more <= writer.bytes.length) return;
  const larger = Buffer.alloc(Math.max(writer.bytes.length * 2, writer.at + more));
  writer.bytes.copy(larger, 0, 0, writer.at);
  writer.bytes = larger;
  writer.view = new DataView(larger.buffer, larger.byteOffset, larger.byteLength);
}

/** Pads with zeros until the position that many bytes ahead is a multiple of `size`. */
export function align(writer: FlatWriter, size: number, ahead = 0): void {
  reserve(writer, size);
  while ((writer.at + ahead) % size !== 0) writer.bytes[writer.at++] = 0;
}

/** Starts a new buffer, with the offset to its root at byte 4. */
export function startBuffer(writer: FlatWriter): void {
  writer.at = 0;
  reserve(writer, 8);
  writer.at = 8;
}

/**
 * Writes the length, and pads so that the numbers of the next buffer are aligned too. @returns the bytes, valid until
 * the next startBuffer
 */
export function endBuffer(writer: FlatWriter): Buffer {
  align(writer, 8);
  writer.view.setUint32(0, writer.at - 4, true);
  return writer.bytes.subarray(0, writer.at);
}

/**
 * Writes a table of empty fields.
 * @param link the position of the offset that shall point to it
 * @param sizes of its fields by slot, 0 for absent ones; no size may follow a smaller one
 * @returns the position of each field
 */
export function writeTable(writer: FlatWriter, link: number, sizes: readonly number[]): number[] {
  const vtableBytes = 4 + sizes.length * 2;
  const order = sizes.map((_, slot) => slot).toSorted((a, b) => sizes[b]! - sizes[a]!);
  const tableBytes = 4 + sizes.reduce((sum, size) => sum + size, 0);
  reserve(writer, vtableBytes + tableBytes + 16);
  // the first field is behind the four bytes that point to the vtable
  align(writer, Math.max(4, ...sizes), vtableBytes + 4);
  const vtable = writer.at;
  const table = vtable + vtableBytes;
  const { view, bytes } = writer;
  bytes.fill(0, vtable, table + tableBytes);
  view.setUint16(vtable, vtableBytes, true);
  view.setUint16(vtable + 2, tableBytes, true);
  view.setInt32(table, vtableBytes, true);
  view.setUint32(link, table - link, true);
  const fields = sizes.map(() => 0);
  let at = table + 4;
  for (const slot of order) {
    if (sizes[slot] === 0) continue;
    view.setUint16(vtable + 4 + slot * 2, at - table, true);
    fields[slot] = at;
    at += sizes[slot]!;
  }
  writer.at = table + tableBytes;
  return fields;
}

/**
 * Begins a vector that an offset points to, and makes room for its elements, which are to be written at `at`.
 * @returns the position of its length
 */
export function startVector(
  writer: FlatWriter,
  link: number,
  { count, size }: { count: number; size: number },
): number {
  align(writer, Math.max(4, size), 4);
  reserve(writer, 4 + count * size);
  const start = writer.at;
  writer.view.setUint32(link, start - link, true);
  writer.view.setUint32(start, count, true);
  writer.at += 4;
  return start;
}

export function writeString(writer: FlatWriter, link: number, text: string): void {
  const size = Buffer.byteLength(text);
  startVector(writer, link, { count: size, size: 1 });
  reserve(writer, size + 1);
  writer.bytes.write(text, writer.at);
  writer.bytes[writer.at + size] = 0;
  writer.at += size + 1;
}
