import type { GlbBuffer } from './write-glb.ts';

export type PropertyValue = string | number | boolean;

/** A property of all features of a tileset: its type is that of the whole tileset. */
export interface Property {
  /** As the source calls it. */
  readonly name: string;
  readonly id: string;
  readonly type: 'STRING' | 'BOOLEAN' | 'INT32' | 'FLOAT64';
  /** The number that stands for a missing value; no value is equal to it. Undefined if none is missing. */
  readonly noData: number | undefined;
}

export interface TableColumn {
  readonly property: Property;
  /** A value of each feature; undefined where it has none. */
  readonly values: readonly (PropertyValue | undefined)[];
}

/** The schema and the table of features, in the form of EXT_structural_metadata. */
export function writePropertyTable(
  buffer: GlbBuffer,
  count: number,
  columns: readonly TableColumn[],
): object {
  const classProperties: Record<string, object> = {};
  const properties: Record<string, object> = {};
  for (const { property, values } of columns) {
    classProperties[property.id] = classProperty(property);
    properties[property.id] =
      property.type === 'STRING'
        ? textColumn(buffer, values)
        : { values: buffer.addView(numberBytes(property, values)) };
  }
  return {
    schema: { id: 'city', classes: { object: { properties: classProperties } } },
    propertyTables: [{ class: 'object', count, properties }],
  };
}

function classProperty({ name, id, type, noData }: Property): object {
  const named = name === id ? {} : { name };
  if (type === 'STRING')
    return id === 'id' ? { ...named, type, required: true } : { ...named, type, noData: '' };
  if (type === 'BOOLEAN') return { ...named, type, required: true };
  return {
    ...named,
    type: 'SCALAR',
    componentType: type,
    ...(noData === undefined ? { required: true } : { noData }),
  };
}

function textColumn(buffer: GlbBuffer, values: TableColumn['values']): object {
  const texts = values.map((value) => (value === undefined ? '' : String(value).toWellFormed()));
  const joined = texts.join('');
  const all = Buffer.from(joined);
  const isAscii = all.length === joined.length;
  const offsets = new Uint32Array(texts.length + 1);
  for (let i = 0; i < texts.length; i++)
    offsets[i + 1] = offsets[i]! + (isAscii ? texts[i]!.length : Buffer.byteLength(texts[i]!));
  return {
    // a view must have at least one byte
    values: buffer.addView(all.length === 0 ? new Uint8Array(1) : all),
    stringOffsets: buffer.addView(new Uint8Array(offsets.buffer)),
    stringOffsetType: 'UINT32',
  };
}

function numberBytes({ type, noData = 0 }: Property, values: TableColumn['values']): Uint8Array {
  if (type === 'BOOLEAN') {
    const bits = new Uint8Array(Math.ceil(values.length / 8));
    for (const [i, value] of values.entries()) if (value === true) bits[i >> 3]! |= 1 << (i & 7);
    return bits;
  }
  const numbers = values.map((value) => (typeof value === 'number' ? value : noData));
  const array = type === 'INT32' ? new Int32Array(numbers) : new Float64Array(numbers);
  return new Uint8Array(array.buffer);
}
