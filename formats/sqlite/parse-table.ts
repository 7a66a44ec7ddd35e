import { partsAt, partsOf, tokensOf, type Token } from './sql-tokens.ts';
import { SqliteError } from './sqlite-error.ts';

/** Storage layout of a table, from its CREATE TABLE statement. */
export interface TableShape {
  /** In declaration order. */
  readonly columns: readonly ColumnShape[];
  /** Its INTEGER PRIMARY KEY, which is the rowid itself. */
  readonly rowidColumn: string | undefined;
  /** Columns of PRIMARY KEY and UNIQUE for which SQLite makes an index of its own, in the order of its numbers. */
  readonly uniques: readonly (readonly IndexedColumn[])[];
  /** Sort order of a WITHOUT ROWID table. */
  readonly primaryKey: readonly IndexedColumn[] | undefined;
}

export interface ColumnShape {
  readonly name: string;
  readonly type: string;
  /** A generated column that is computed when it is read has no place in the record. */
  readonly isStored: boolean;
  readonly collation: string;
}

/** A column of an index; without a name it is an expression. */
export interface IndexedColumn {
  readonly name: string | undefined;
  readonly isDescending: boolean;
  /** Lower case; undefined for the column's collation. */
  readonly collation: string | undefined;
}

const constraints = new Set(['constraint', 'primary', 'unique', 'check', 'foreign']);
const ofColumns = new Set([
  ...constraints,
  'not',
  'null',
  'default',
  'collate',
  'references',
  'generated',
  'as',
  'autoincrement',
]);

/** SQLite's own limit (sqlite.org/limits), which keeps what compares columns with each other short. */
const maxColumns = 2000;

/** @param sql as `sqlite_schema` keeps it: a CREATE TABLE, never AS SELECT. @throws SqliteError */
export function parseTable(sql: string): TableShape {
  const tokens = tokensOf(sql);
  const columns: ColumnShape[] = [];
  const uniques = new Map<unknown, IndexedColumn[]>();
  let primaryKey: IndexedColumn[] | undefined;
  let isAlias = false;
  for (const part of partsOf(tokens, 0)) {
    const isConstraint = constraints.has(part[0]!.keyword);
    if (!isConstraint) columns.push(columnOf(part));
    if (columns.length > maxColumns)
      throw new SqliteError(`one of its tables has more than ${maxColumns} columns`);
    for (const { isPrimary, keys } of keysIn(part, isConstraint ? undefined : part[0]!.text)) {
      if (isPrimary) {
        if (primaryKey) throw new SqliteError('one of its tables has two primary keys');
        primaryKey = keys;
        isAlias = isRowid(keys, columns, !isConstraint);
        if (isAlias) continue;
      }
      const names = namesOf(keys);
      if (!uniques.has(names)) uniques.set(names, keys);
    }
  }
  const end = tokens.findLastIndex(({ keyword, depth }) => keyword === ')' && depth === 0);
  const isWithoutRowid = tokens
    .slice(end)
    .some(({ keyword }, i, rest) => keyword === 'without' && rest[i + 1]?.keyword === 'rowid');
  return {
    columns,
    uniques: [...uniques.values()],
    rowidColumn: isAlias && !isWithoutRowid ? primaryKey![0]!.name : undefined,
    primaryKey: isWithoutRowid ? primaryKey : undefined,
  };
}

function columnOf([name, ...rest]: Token[]): ColumnShape {
  const outside = rest.filter(({ depth }) => depth === 1);
  const end = outside.findIndex(({ keyword }) => ofColumns.has(keyword) || keyword === '(');
  const type = outside.slice(0, end < 0 ? undefined : end).map(({ text }) => text);
  const has = (keyword: string) => outside.some((each) => each.keyword === keyword);
  return {
    name: name!.text,
    type: type.join(' ').toLowerCase(),
    isStored: !has('as') || has('stored'),
    collation: collationIn(outside) ?? 'binary',
  };
}

/** The keys in a column's or a table's constraints, whose commas may be omitted. */
function keysIn(part: Token[], column: string | undefined): { isPrimary: boolean; keys: IndexedColumn[] }[] {
  const found: { isPrimary: boolean; keys: IndexedColumn[] }[] = [];
  for (const [i, { keyword, depth }] of part.entries()) {
    const isPrimary = keyword === 'primary' && part[i + 1]?.keyword === 'key';
    if (depth !== 1 || !(isPrimary || keyword === 'unique')) continue;
    const isDescending = part[i + 2]?.keyword === 'desc';
    const keys =
      column === undefined
        ? partsAt(part, { open: isPrimary ? i + 2 : i + 1, depth: 1 }).map(indexedColumn)
        : [{ name: column, isDescending, collation: undefined }];
    found.push({ isPrimary, keys });
  }
  return found;
}

/** One item of the columns of an index. */
export function indexedColumn([name, ...rest]: Token[]): IndexedColumn {
  const isColumn = rest.every(
    ({ keyword }, i) =>
      keyword === 'collate' || keyword === 'asc' || keyword === 'desc' || rest[i - 1]?.keyword === 'collate',
  );
  return {
    name: isColumn ? name!.text : undefined,
    isDescending: rest.at(-1)?.keyword === 'desc',
    collation: collationIn(rest),
  };
}

function collationIn(tokens: readonly Token[]): string | undefined {
  const at = tokens.findIndex(({ keyword }) => keyword === 'collate');
  return at < 0 ? undefined : tokens[at + 1]?.text.toLowerCase();
}

/** INTEGER PRIMARY KEY is the rowid, but not where a column says DESC (sqlite.org/lang_createtable, 5). */
function isRowid(
  keys: readonly IndexedColumn[],
  columns: readonly ColumnShape[],
  isOfColumn: boolean,
): boolean {
  const [key, more] = keys;
  if (key === undefined || more !== undefined || (isOfColumn && key.isDescending)) return false;
  return columns.some(({ name, type }) => isName(name, key.name) && type === 'integer');
}

/** Equal for keys of the same columns; keys with an expression equal no other. */
function namesOf(keys: readonly IndexedColumn[]): unknown {
  const names = keys.map(({ name }) => name?.toLowerCase());
  return names.includes(undefined) ? keys : JSON.stringify(names);
}

/** Names of SQL ignore case. */
export function isName(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}
