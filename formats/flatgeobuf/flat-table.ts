/**
 * Reads untrusted FlatBuffers (their "Internals" page): every offset is checked against the range
 * that the buffer may use, and throws FlatFault when it leads out of it.
 */

/** The buffer is damaged, or contradicts itself. */
export class FlatFault extends Error {
  override readonly name = 'FlatFault';
}

/** One buffer without its size prefix, from `start` to before `end`. */
export interface FlatBytes {
  readonly bytes: Buffer;
  readonly view: DataView;
  readonly start: number;
  readonly end: number;
}

/** @returns the position of the root table */
export function rootTable(flat: FlatBytes): number {
  check(flat, flat.start, 4);
  return followOffset(flat, flat.start);
}

/** The position of a field's value, 0 if the table leaves it out. @param size of the value, in bytes */
export function fieldAt(flat: FlatBytes, table: number, slot: number, size: number): number {
  const { view } = flat;
  const vtable = table - view.getInt32(table, true);
  check(flat, vtable, 4);
  const vtableSize = view.getUint16(vtable, true);
  const entry = 4 + slot * 2;
  if (entry + 2 > vtableSize) return 0;
  check(flat, vtable, vtableSize);
  const offset = view.getUint16(vtable + entry, true);
  if (offset === 0) return 0;
  check(flat, table + offset, size);
  return table + offset;
}

/** @param at the position of an offset to a table */
export function followOffset(flat: FlatBytes, at: number): number {
  const table = at + flat.view.getUint32(at, true);
  check(flat, table, 4);
  return table;
}

/** The table in a field, or 0. */
export function tableIn(flat: FlatBytes, table: number, slot: number): number {
  const at = fieldAt(flat, table, slot, 4);
  return at === 0 ? 0 : followOffset(flat, at);
}

/** The first element of the vector in a field, or 0. All its elements are inside the buffer. */
export function vectorIn(flat: FlatBytes, table: number, slot: number, elementSize: number): number {
  const at = fieldAt(flat, table, slot, 4);
  if (at === 0) return 0;
  const first = followOffset(flat, at) + 4;
  check(flat, first, flat.view.getUint32(first - 4, true) * elementSize);
  return first;
}

/** @param first as vectorIn gives it; 0 has no elements */
export function vectorLength(flat: FlatBytes, first: number): number {
  return first === 0 ? 0 : flat.view.getUint32(first - 4, true);
}

export function stringIn(flat: FlatBytes, table: number, slot: number): string | undefined {
  const first = vectorIn(flat, table, slot, 1);
  return first === 0 ? undefined : flat.bytes.toString('utf8', first, first + vectorLength(flat, first));
}

function check({ start, end }: FlatBytes, at: number, size: number): void {
  if (at < start || at + size > end) throw new FlatFault('an offset points outside the data');
}
