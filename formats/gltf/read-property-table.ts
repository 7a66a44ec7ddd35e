import type { AttributeValue, Attributes } from '../city-object/city-object.ts';
import {
  asArray,
  asIndex,
  asNumber,
  asObject,
  asObjects,
  asText,
  type JsonObject,
} from '../json/read-values.ts';
import { addValue, emptyRows, plainNumber } from '../tiles-3d/read-batch-table.ts';

/** Bytes of a buffer view; undefined where they are not there. */
export type ReadView = (view: number) => Promise<Uint8Array | undefined>;

type Scalar = number | bigint;
type Get = (view: DataView, at: number) => Scalar;

const components: Readonly<
  Record<string, { readonly bytes: number; readonly max: number; readonly get: Get }>
> = {
  INT8: { bytes: 1, max: 127, get: (view, at) => view.getInt8(at) },
  UINT8: { bytes: 1, max: 255, get: (view, at) => view.getUint8(at) },
  INT16: { bytes: 2, max: 32_767, get: (view, at) => view.getInt16(at, true) },
  UINT16: { bytes: 2, max: 65_535, get: (view, at) => view.getUint16(at, true) },
  INT32: { bytes: 4, max: 2 ** 31 - 1, get: (view, at) => view.getInt32(at, true) },
  UINT32: { bytes: 4, max: 2 ** 32 - 1, get: (view, at) => view.getUint32(at, true) },
  INT64: { bytes: 8, max: 2 ** 63, get: (view, at) => view.getBigInt64(at, true) },
  UINT64: { bytes: 8, max: 2 ** 64, get: (view, at) => view.getBigUint64(at, true) },
  FLOAT32: { bytes: 4, max: 1, get: (view, at) => view.getFloat32(at, true) },
  FLOAT64: { bytes: 8, max: 1, get: (view, at) => view.getFloat64(at, true) },
};
const widths: Readonly<Record<string, number>> = {
  SCALAR: 1,
  ENUM: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

/** The attributes of all property tables of EXT_structural_metadata, one table after the other. */
export interface PropertyTables {
  readonly rows: readonly Attributes[];
  /** The number of the first row of each table. */
  readonly firstRows: readonly number[];
  /** Properties that cannot be read. */
  readonly unreadable: readonly string[];
}

export interface TableReading {
  readonly readView: ReadView;
  /** Of all tables: more are an error of the file. */
  readonly maxRows: number;
  /** Attributes are called by the ids of their properties, as viewers do, whatever these are named. */
  readonly byId?: boolean | undefined;
}

/** @param extension EXT_structural_metadata */
export async function readPropertyTables(
  extension: JsonObject,
  { readView, maxRows, byId = false }: TableReading,
): Promise<PropertyTables> {
  const schema = asObject(extension['schema']);
  const rows: Attributes[] = [];
  const firstRows: number[] = [];
  const unreadable: string[] = [];
  for (const table of asObjects(extension['propertyTables'])) {
    firstRows.push(rows.length);
    const count = Math.min(asIndex(table?.['count']) ?? 0, maxRows - rows.length);
    const own = emptyRows(count);
    const described = asObject(
      asObject(asObject(schema?.['classes'])?.[asText(table?.['class']) ?? ''])?.['properties'],
    );
    for (const [id, column] of Object.entries(asObject(table?.['properties']) ?? {})) {
      const property = asObject(described?.[id]);
      const values =
        property && (await readColumn(asObject(column) ?? {}, property, { schema, readView, count }));
      const name = byId ? id : (asText(property?.['name']) ?? id);
      if (values === undefined) unreadable.push(id);
      else for (const [i, row] of own.entries()) addValue(row, name, values[i]);
    }
    for (const row of own) rows.push(row);
  }
  return { rows, firstRows, unreadable };
}

interface ColumnContext {
  readonly schema: JsonObject | undefined;
  readonly readView: ReadView;
  readonly count: number;
}

type Value = AttributeValue | readonly AttributeValue[] | undefined;

async function readColumn(
  column: JsonObject,
  property: JsonObject,
  { schema, readView, count }: ColumnContext,
): Promise<Value[] | undefined> {
  const bytesOf = async (name: string): Promise<Uint8Array | undefined> => {
    const view = asIndex(column[name]);
    return view === undefined ? undefined : readView(view);
  };
  const values = await bytesOf('values');
  if (values === undefined) return undefined;
  const isArray = property['array'] === true;
  const arrayOffsets = offsetsOf(await bytesOf('arrayOffsets'), asText(column['arrayOffsetType']));
  if (isArray && arrayOffsets?.areRising(count) === false) return undefined;
  const fixed = asIndex(property['count']) ?? 1;
  const total = isArray ? (arrayOffsets?.at(count) ?? count * fixed) : count;
  const read = elementReader(property, {
    enums: schema?.['enums'],
    values,
    stringOffsets: offsetsOf(await bytesOf('stringOffsets'), asText(column['stringOffsetType'])),
    total,
    scale: asNumber(column['scale']) ?? asNumber(property['scale']),
    offset: asNumber(column['offset']) ?? asNumber(property['offset']),
  });
  if (read === undefined) return undefined;
  const missing = property['default'];
  return Array.from({ length: count }, (_, i): Value => {
    if (!isArray) return read(i) ?? (isPlain(missing) ? missing : undefined);
    const from = arrayOffsets?.at(i) ?? i * fixed;
    const to = arrayOffsets?.at(i + 1) ?? from + fixed;
    return Array.from(
      { length: Math.max(0, Math.min(to, total) - from) },
      (_one, k) => read(from + k) ?? '',
    ).flat();
  });
}

const isPlain = (value: unknown): value is AttributeValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

interface Offsets {
  at(index: number): number;
  /** Whether there is one more than these elements, and none is below the one before. */
  areRising(elements: number): boolean;
}

function offsetsOf(bytes: Uint8Array | undefined, type = 'UINT32'): Offsets | undefined {
  const component = components[type];
  if (bytes === undefined || component === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (index: number): number => Number(component.get(view, index * component.bytes));
  return {
    at,
    areRising(elements) {
      if ((elements + 1) * component.bytes > bytes.length) return false;
      for (let i = 0; i < elements; i++) if (at(i) > at(i + 1)) return false;
      return true;
    },
  };
}

interface Elements {
  readonly enums: unknown;
  readonly values: Uint8Array;
  readonly stringOffsets: Offsets | undefined;
  /** Number of all elements. */
  readonly total: number;
  readonly scale: number | undefined;
  readonly offset: number | undefined;
}

/** Reads one element by its number; undefined if its bytes are not there. */
function elementReader(
  property: JsonObject,
  { enums, values, stringOffsets, total, scale = 1, offset = 0 }: Elements,
): ((index: number) => Value) | undefined {
  const type = asText(property['type']) ?? '';
  const isMissing = isNoData(property['noData']);
  const kept = (value: AttributeValue): Value => (isMissing(value) ? undefined : value);
  if (type === 'STRING') {
    if (stringOffsets?.areRising(total) !== true) return undefined;
    return (index) =>
      kept(
        Buffer.from(values.subarray(stringOffsets.at(index), stringOffsets.at(index + 1))).toString('utf8'),
      );
  }
  if (type === 'BOOLEAN') {
    if (values.length * 8 < total) return undefined;
    return (index) => ((values[index >> 3]! >> (index & 7)) & 1) === 1;
  }
  const enumeration = asObject(asObject(enums)?.[asText(property['enumType']) ?? '']);
  const componentType =
    type === 'ENUM'
      ? (asText(enumeration?.['valueType']) ?? 'UINT16')
      : (asText(property['componentType']) ?? '');
  const component = components[componentType];
  const width = widths[type];
  if (component === undefined || width === undefined) return undefined;
  if (values.length < component.bytes * width * total) return undefined;
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  const at = (index: number): Scalar => component.get(view, index * component.bytes);
  if (type === 'ENUM') {
    const names = new Map(
      asObjects(enumeration?.['values']).map((one) => [asNumber(one?.['value']), asText(one?.['name'])]),
    );
    return (index) => kept(names.get(Number(at(index))) ?? Number(at(index)));
  }
  const divisor = property['normalized'] === true ? component.max : 1;
  const isMoved = divisor !== 1 || scale !== 1 || offset !== 0;
  const numberAt = (index: number): AttributeValue => {
    const value = at(index);
    if (isMoved) return (Number(value) / divisor) * scale + offset;
    return typeof value === 'bigint' ? plainNumber(value) : value;
  };
  if (width === 1) return (index) => (isMissing(plainOf(at(index))) ? undefined : numberAt(index));
  return (index) => Array.from({ length: width }, (_, axis) => numberAt(index * width + axis));
}

const plainOf = (value: Scalar): AttributeValue => (typeof value === 'bigint' ? plainNumber(value) : value);

/** Whether a value, before it is scaled, stands for none. */
function isNoData(noData: unknown): (value: AttributeValue) => boolean {
  if (asArray(noData) !== undefined || noData === undefined) return () => false;
  return (value) => value === noData || (typeof noData === 'number' && Math.fround(noData) === value);
}
