import type { DatabaseSync } from 'node:sqlite';
import type { FieldType, SourceLayer } from '../source/source.ts';

export interface TableShape {
  /** Without the geometry, the integer key and columns of blobs. */
  readonly columns: readonly { readonly name: string; readonly type: FieldType }[];
  /** The column whose value is the feature's id. */
  readonly idColumn: string | undefined;
  /** The column of the row number; undefined for views and tables without one. */
  readonly rowNumber: string | undefined;
}

interface Column {
  readonly name: string;
  readonly type: string;
  /** Its place in the primary key, from 1; 0 if it is not part of it. */
  readonly pk: number;
  /** 1: of a virtual table only. */
  readonly hidden: number;
}

/** @returns undefined if there is no such table */
export function describeTable(
  database: DatabaseSync,
  table: string,
  geometryColumn: string,
): TableShape | undefined {
  const found = database
    .prepare(`select type, wr from pragma_table_list where schema = 'main' and lower(name) = lower(?)`)
    .get(table) as { type: string; wr: number } | undefined;
  if (found === undefined) return undefined;
  const all = database
    .prepare('select name, type, pk, hidden from pragma_table_xinfo(?)')
    .all(table) as unknown as Column[];
  const key = all.filter(({ pk }) => pk > 0);
  const idColumn = key.length === 1 ? key[0]! : undefined;
  const taken = new Set(all.map(({ name }) => name.toLowerCase()));
  const numbered = found.type === 'table' && found.wr === 0;
  const isNumber = numbered && idColumn?.type.toUpperCase() === 'INTEGER';
  const columns = all
    .filter(({ name, hidden }) => hidden !== 1 && name.toLowerCase() !== geometryColumn.toLowerCase())
    // An assignment to __proto__ would not make a property.
    .filter((column) => !(isNumber && column === idColumn) && column.name !== '__proto__')
    .flatMap(({ name, type }) => {
      const fieldType = fieldTypeOf(type);
      return fieldType === undefined ? [] : [{ name, type: fieldType }];
    });
  return {
    columns,
    idColumn: idColumn?.name,
    rowNumber: numbered ? ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name)) : undefined,
  };
}

/** Types of OGC 12-128r19, table 1, and others by the rules of SQLite (Datatypes, 3.1). Undefined for blobs. */
function fieldTypeOf(declared: string): FieldType | undefined {
  const type = declared.toUpperCase();
  if (type.startsWith('BOOL')) return 'boolean';
  if (type.startsWith('DATE')) return 'date';
  if (/BLOB|GEOMETRY|POINT|LINESTRING|POLYGON|CURVE|SURFACE/.test(type)) return undefined;
  if (type.includes('INT')) return 'integer';
  if (/REAL|FLOA|DOUB|NUMERIC|DECIMAL/.test(type)) return 'number';
  return 'string';
}

/** The extent that the file declares for the layer. */
export function declaredBbox(values: readonly unknown[]): SourceLayer['bbox'] {
  if (!values.every((value): value is number => typeof value === 'number' && Number.isFinite(value))) {
    return undefined;
  }
  const [west, south, east, north] = values as [number, number, number, number];
  return west <= east && south <= north ? [west, south, east, north] : undefined;
}
