import { indexedColumn, isName, parseTable, type IndexedColumn, type TableShape } from './parse-table.ts';
import { maxSqlLength, partsOf, tokensOf } from './sql-tokens.ts';
import { SqliteError } from './sqlite-error.ts';
import { scanRows, type TreeFile } from './tree.ts';

/** Tables, indexes and views, as the table `sqlite_schema` lists them. */
export interface Schema {
  readonly tables: readonly SchemaTable[];
  readonly views: readonly { readonly name: string; readonly sql: string }[];
}

export interface SchemaTable {
  readonly name: string;
  readonly root: number;
  readonly shape: TableShape;
  readonly indexes: readonly SchemaIndex[];
}

export interface SchemaIndex {
  readonly name: string;
  readonly root: number;
  readonly columns: readonly IndexedColumn[];
}

const maxObjects = 100_000;
const maxSchemaLength = 4 * 2 ** 20;
/** A row of the schema in bytes: its statement, in UTF-16 at most, and names. */
const maxRowBytes = 4 * maxSqlLength;

interface SchemaRow {
  readonly type: unknown;
  readonly name: string;
  readonly table: string;
  readonly root: number;
  readonly sql: string | null;
}

/** @throws SqliteError */
export async function readSchema(file: TreeFile): Promise<Schema> {
  const rows: SchemaRow[] = [];
  let length = 0;
  for await (const { values } of scanRows({ file: { ...file, maxRowBytes }, root: 1 })) {
    const [type, name, table, root, sql] = values;
    if (typeof name !== 'string' || typeof table !== 'string') throw new SqliteError('its schema is damaged');
    rows.push({ type, name, table, root: Number(root), sql: typeof sql === 'string' ? sql : null });
    length += name.length + table.length + (typeof sql === 'string' ? sql.length : 0);
    if (length > maxSchemaLength)
      throw new SqliteError(`its schema is longer than ${maxSchemaLength / 2 ** 20} MiB`);
    if (rows.length > maxObjects) throw new SqliteError(`it has more than ${maxObjects} tables`);
  }
  const indexes = Map.groupBy(
    rows.filter(({ type }) => type === 'index'),
    ({ table }) => table.toLowerCase(),
  );
  // a virtual table has no page
  const tables = rows
    .filter(({ type, root, sql }) => type === 'table' && root > 0 && sql !== null)
    .map(({ name, root, sql }) => {
      const shape = parseTable(sql!);
      const own = indexes.get(name.toLowerCase()) ?? [];
      return { name, root, shape, indexes: own.flatMap((row) => indexOf(row, shape)) };
    });
  const views = rows.filter(({ type }) => type === 'view').map(({ name, sql }) => ({ name, sql: sql ?? '' }));
  return { tables, views };
}

/** Partial indexes are omitted, because they do not cover all rows. */
function indexOf({ name, root, sql }: SchemaRow, { uniques }: TableShape): SchemaIndex[] {
  if (sql === null) {
    const number = Number(/^sqlite_autoindex_.*_(\d+)$/s.exec(name)?.[1]);
    const columns = uniques[number - 1];
    return columns ? [{ name, root, columns }] : [];
  }
  const tokens = tokensOf(sql);
  if (tokens.some(({ keyword, depth }) => keyword === 'where' && depth === 0)) return [];
  return [{ name, root, columns: partsOf(tokens, 0).map(indexedColumn) }];
}

/** @returns the table of this name, in whatever case */
export function tableOf({ tables }: Schema, name: string): SchemaTable | undefined {
  return tables.find((table) => isName(table.name, name));
}
