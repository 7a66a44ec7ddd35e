import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import ts from 'typescript';
import { startService } from '../server/testing.ts';

/** The name of a column's type in PostgreSQL, and whether it may be null; or likewise of a property in TypeScript. */
interface Column {
  readonly type: string;
  readonly isNullable: boolean;
}

type Columns = Readonly<Record<string, Column>>;

/** PostgreSQL types and the row types that node-postgres returns; JSON may be anything. */
const typeScriptTypes: Readonly<Record<string, string>> = {
  text: 'string',
  integer: 'number',
  smallint: 'number',
  bigint: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  'timestamp with time zone': 'Date',
  bytea: 'Buffer',
  json: 'JSON',
  jsonb: 'JSON',
  'text[]': 'string[]',
  'integer[]': 'number[]',
  'bigint[]': 'number[]',
  'double precision[]': 'number[]',
};

/** Kept by the migrations themselves. */
const unlisted = new Set(['migration', 'routines']);

test('schema.ts says of every table what the database has: columns, types, null', async () => {
  const { context } = await startService();
  const database = await readDatabase(context.db);
  const declared = readDeclared();
  assert.ok(Object.keys(database).length > 40);
  assert.deepEqual(Object.keys(declared).toSorted(), Object.keys(database).toSorted());
  const differences = Object.entries(database).flatMap(([table, columns]) =>
    differencesOf(declared[table]!, columns).map((difference) => `${table}.${difference}`),
  );
  assert.deepEqual(differences, []);
});

async function readDatabase(
  db: Awaited<ReturnType<typeof startService>>['context']['db'],
): Promise<Record<string, Columns>> {
  const { rows } = await sql<{ table: string; column: string; type: string; nullable: boolean }>`
    select t.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
      not a.attnotnull as nullable
    from pg_class t join pg_attribute a on a.attrelid = t.oid
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and a.attnum > 0 and not a.attisdropped`.execute(
    db,
  );
  const tables: Record<string, Record<string, Column>> = {};
  for (const { table, column, type, nullable: isNullable } of rows) {
    if (unlisted.has(table)) continue;
    assert.ok(type in typeScriptTypes, `${table}.${column} is of ${type}: which type is that in TypeScript?`);
    (tables[table] ??= {})[column] = { type: typeScriptTypes[type]!, isNullable };
  }
  return tables;
}

/** Reads the columns from `Selectable` of each table, as the compiler resolves it. */
function readDeclared(): Record<string, Columns> {
  const folder = join(import.meta.dirname, '../server/base/database');
  const rows = join(folder, 'rows-of-test.ts');
  const text = `import type { Selectable } from 'kysely';
    import type { Tables } from './schema.ts';
    export type Rows = { [Name in keyof Tables]: Selectable<Tables[Name]> };`;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => path === rows || fileExists(path);
  host.readFile = (path) => (path === rows ? text : readFile(path));
  const program = ts.createProgram([rows], options, host);
  const checker = program.getTypeChecker();
  const [exported] = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(rows)!)!);
  const tables = checker.getDeclaredTypeOfSymbol(exported!);
  return Object.fromEntries(
    tables.getProperties().map((table) => {
      const columns = checker.getTypeOfSymbol(table).getProperties();
      return [
        table.name,
        Object.fromEntries(columns.map((it) => [it.name, columnOf(checker, checker.getTypeOfSymbol(it))])),
      ];
    }),
  );
}

function columnOf(checker: ts.TypeChecker, type: ts.Type): Column {
  const members = type.isUnion() ? type.types : [type];
  const isNullable = members.some((it) => it.flags & ts.TypeFlags.Null);
  const kinds = new Set(
    members.filter((it) => !(it.flags & ts.TypeFlags.Null)).map((it) => kindOf(checker, it)),
  );
  // PostgreSQL's infinity arrives as a number where a Date is expected
  if (kinds.has('Date')) kinds.delete('number');
  return { type: [...kinds].join(' | '), isNullable };
}

function kindOf(checker: ts.TypeChecker, type: ts.Type): string {
  if (type.flags & ts.TypeFlags.StringLike) return 'string';
  if (type.flags & ts.TypeFlags.NumberLike) return 'number';
  if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean';
  const element = checker.isArrayType(type)
    ? checker.getTypeArguments(type as ts.TypeReference)[0]
    : undefined;
  if (element && element.flags & ts.TypeFlags.StringLike) return 'string[]';
  if (element && element.flags & ts.TypeFlags.NumberLike) return 'number[]';
  const { name } = type.symbol ?? {};
  return name === 'Date' || name === 'Buffer' ? name : 'JSON';
}

function differencesOf(declared: Columns, columns: Columns): string[] {
  const names = new Set([...Object.keys(declared), ...Object.keys(columns)]);
  return [...names].flatMap((name) => {
    const [here, there] = [declared[name], columns[name]];
    if (!here) return `${name} is not in schema.ts`;
    if (!there) return `${name} is not in the database`;
    // the database cannot say what JSON holds, nor whether that is its null
    const isSame =
      there.type === 'JSON'
        ? here.isNullable || !there.isNullable
        : here.type === there.type && here.isNullable === there.isNullable;
    return isSame ? [] : `${name}: schema.ts says ${describe(here)}, the database ${describe(there)}`;
  });
}

function describe({ type, isNullable }: Column): string {
  return `${type}${isNullable ? ' or null' : ''}`;
}
