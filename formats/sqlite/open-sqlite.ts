import type { Bytes } from '../bytes/bytes.ts';
import { createPages } from './pages.ts';
import { isName, type IndexedColumn, type TableShape } from './parse-table.ts';
import { leftInWal, readHeader, type SqliteHeader } from './read-header.ts';
import { readSchema, tableOf, type Schema, type SchemaTable } from './read-schema.ts';
import type { SqlValue } from './record.ts';
import { SqliteError } from './sqlite-error.ts';
import { findRow, scanIndex, scanRows, type TreeFile } from './tree.ts';

export interface SqliteOptions {
  /** Size of the page cache; 4 MiB by default. */
  readonly cacheBytes?: number;
  /** Limit of a row in bytes; 64 MiB by default. */
  readonly maxRowBytes?: number;
  /** The schema, if it is known already. */
  readonly schema?: Schema;
}

/** A database that is read by ranges, without SQLite: only what a lookup needs. */
export interface SqliteFile {
  readonly header: SqliteHeader;
  readonly schema: Schema;
  /** Names of its tables, without virtual ones. */
  readonly tableNames: readonly string[];
  readonly views: readonly { readonly name: string; readonly sql: string }[];
  /** Case-insensitive. */
  table(name: string): SqliteTable | undefined;
}

export interface SqliteTable {
  readonly name: string;
  /** In declaration order. */
  readonly columns: readonly string[];
  /** All rows in the order of the rowid or primary key. @throws SqliteError */
  rows(): AsyncGenerator<SqliteRow>;
  /** Finds rows by these columns; undefined if no index begins with them, in any order. */
  finder(columns: readonly string[]): Finder | undefined;
  /**
   * Visits the values of these columns through an index that begins with them, without reading rows; undefined if
   * there is none.
   */
  walker(columns: readonly string[]): Walker | undefined;
}

/**
 * Values in the order of the table's columns. What a row does not have, as the column was added later or is computed, is
 * null; of an index with another collation than BINARY nothing can be found.
 */
export type SqliteRow = SqlValue[];

/** The rows whose columns have these values, in the order in which they were named. @throws SqliteError */
export type Finder = (values: readonly SqlValue[]) => AsyncGenerator<SqliteRow>;

/** Values of the columns in the order of the index: all, or those from these on. @throws SqliteError */
export type Walker = (from?: readonly SqlValue[]) => AsyncGenerator<SqliteRow>;

/** Reads header and schema. @throws SqliteError */
export async function openSqlite(
  bytes: Bytes,
  { cacheBytes = 4 * 2 ** 20, maxRowBytes = 64 * 2 ** 20, schema: known }: SqliteOptions = {},
): Promise<SqliteFile> {
  const header = await readHeader(bytes);
  const file = { header, pages: createPages(bytes, header, cacheBytes), maxRowBytes };
  const schema = known ?? (await readSchema(file));
  // its tables were made, but not moved out of the log yet
  if (header.isWal && schema.tables.length === 0) throw new SqliteError(leftInWal);
  return {
    header,
    schema,
    tableNames: schema.tables.map(({ name }) => name),
    views: schema.views,
    table(name) {
      const table = tableOf(schema, name);
      return table && openTable(file, table);
    },
  };
}

function openTable(file: TreeFile, table: SchemaTable): SqliteTable {
  const { name, root, shape } = table;
  const restore = shape.primaryKey ? restoreSorted(shape, shape.primaryKey) : restoreRow(shape);
  return {
    name,
    columns: shape.columns.map((column) => column.name),
    async *rows() {
      if (shape.primaryKey) {
        for await (const stored of scanIndex({ file, root }, { values: [], isDescending: [] }))
          yield restore(stored, null);
      } else {
        for await (const { rowid, values } of scanRows({ file, root })) yield restore(values, rowid);
      }
    },
    finder: (columns) => finderOf(file, table, columns, restore),
    walker: (columns) => walkerOf(file, table, columns),
  };
}

type Restore = (stored: SqlValue[], rowid: number | bigint | null) => SqliteRow;

function restoreRow({ columns, rowidColumn }: TableShape): Restore {
  const isRowid = columns.map(({ name }) => isName(name, rowidColumn));
  return (stored, rowid) => {
    let next = 0;
    return columns.map(({ isStored }, i) => {
      const value = isStored ? (stored[next++] ?? null) : null;
      return isRowid[i] ? rowid : value;
    });
  };
}

/** Rows of a table WITHOUT ROWID hold the key first and then the rest (fileformat2, 2.4). */
function restoreSorted({ columns }: TableShape, key: readonly IndexedColumn[]): Restore {
  const names = [...new Set(key.map(({ name }) => name!.toLowerCase()))];
  const rest = columns.filter(({ name, isStored }) => isStored && !names.includes(name.toLowerCase()));
  const order = [...names, ...rest.map(({ name }) => name.toLowerCase())];
  const places = columns.map(({ name }) => order.indexOf(name.toLowerCase()));
  return (stored) => places.map((place) => stored[place] ?? null);
}

function finderOf(
  file: TreeFile,
  { root, shape, indexes }: SchemaTable,
  columns: readonly string[],
  restore: Restore,
): Finder | undefined {
  if (columns.length === 1 && isName(shape.rowidColumn, columns[0])) {
    return async function* ([rowid]) {
      if (typeof rowid !== 'number' && typeof rowid !== 'bigint') return;
      const values = await findRow({ file, root }, rowid);
      if (values) yield restore(values, rowid);
    };
  }
  if (shape.primaryKey) {
    const order = orderIn(shape, shape.primaryKey, columns);
    if (!order) return undefined;
    return async function* (values) {
      for await (const stored of scanIndex({ file, root }, order(values))) yield restore(stored, null);
    };
  }
  for (const index of indexes) {
    const order = orderIn(shape, index.columns, columns);
    if (!order) continue;
    return async function* (values) {
      for await (const entry of scanIndex({ file, root: index.root }, order(values))) {
        const rowid = entry.at(-1);
        if (typeof rowid !== 'number' && typeof rowid !== 'bigint')
          throw new SqliteError('one of its indexes is damaged');
        const stored = await findRow({ file, root }, rowid);
        if (stored) yield restore(stored, rowid);
      }
    };
  }
  return undefined;
}

function walkerOf(
  file: TreeFile,
  { root, shape, indexes }: SchemaTable,
  columns: readonly string[],
): Walker | undefined {
  const own = shape.primaryKey && { columns: shape.primaryKey, root };
  for (const index of own ? [own] : indexes) {
    const order = orderIn(shape, index.columns, columns);
    if (!order) continue;
    const places = columns.map((column) => index.columns.findIndex(({ name }) => isName(name, column)));
    return async function* (from) {
      const start = from ? order(from) : { values: [], isDescending: [] };
      for await (const entry of scanIndex({ file, root: index.root }, { ...start, andAfter: true }))
        yield places.map((place) => entry[place] ?? null);
    };
  }
  return undefined;
}

/** Puts values into the order of an index; undefined where it does not begin with all their columns. */
function orderIn({ columns: all }: TableShape, index: readonly IndexedColumn[], columns: readonly string[]) {
  const first = index.slice(0, columns.length);
  const places = first.map(({ name }) => columns.findIndex((column) => isName(column, name)));
  const isUsable = first.every(({ name, collation }, i) => {
    const declared = all.find((column) => isName(column.name, name))?.collation;
    return places[i]! >= 0 && places.indexOf(places[i]!) === i && (collation ?? declared) === 'binary';
  });
  if (!isUsable || first.length < columns.length) return undefined;
  const isDescending = first.map((column) => column.isDescending);
  return (values: readonly SqlValue[]) => ({
    values: places.map((place) => values[place] ?? null),
    isDescending,
  });
}
