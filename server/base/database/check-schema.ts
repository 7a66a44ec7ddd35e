import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Db } from './database.ts';

const schemaFile = new URL('./schema.sql', import.meta.url);
const tableStart = 'create table ';

/**
 * Compares the database with `schema.sql`: tables, columns with type and null, keys, indexes, triggers, sequences and
 * views. Objects that are not ours may exist beside them, and expressions (defaults, checks) are not compared, as
 * PostgreSQL versions print them differently.
 * @returns what is missing or different, such as `column app.name text not null`; of a missing table only its name
 */
export async function findSchemaDifferences(db: Db): Promise<string[]> {
  const expected = objectsOf(await readFile(schemaFile, 'utf8'));
  const { rows } = await sql<{ object: string }>`
    with public_class as (
      select oid, relname, relkind from pg_class where relnamespace = 'public'::regnamespace
    ), present as (
      select case relkind when 'r' then 'table' when 'S' then 'sequence' when 'v' then 'view' else 'index' end
        || ' ' || relname as object from public_class
      union all select 'column ' || relname || '.' || quote_ident(attname) || ' ' || format_type(atttypid, atttypmod)
        || case when attnotnull then ' not null' else '' end
        from public_class c join pg_attribute on attrelid = c.oid
        where relkind = 'r' and attnum > 0 and not attisdropped
      union all select 'constraint ' || relname || ' ' || lower(pg_get_constraintdef(k.oid))
        from public_class c join pg_constraint k on conrelid = c.oid where contype in ('p', 'u', 'f')
      union all select 'trigger ' || relname || '.' || tgname
        from public_class c join pg_trigger on tgrelid = c.oid where not tgisinternal and tgenabled <> 'D'
    )
    select object from unnest(${expected}::text[]) object
    where object not in (select object from present)`.execute(db);
  const missing = rows.map(({ object }) => object);
  const gone = new Set(missing.filter((object) => object.startsWith('table ')).map((it) => it.slice(6)));
  return missing.filter(
    (object) => !/^(column|constraint|trigger) /.test(object) || !gone.has(tableOf(object)),
  );
}

/** @throws Error that names the differences between the database and `schema.sql`, and what to do */
export async function requireSchema(db: Db): Promise<void> {
  const differences = await findSchemaDifferences(db);
  if (differences.length > 0) throw new Error(describeDifferences(differences));
}

/** One sentence for the operator; it names ten of them at most. */
export function describeDifferences(differences: readonly string[]): string {
  const more = differences.length > 10 ? `, and ${differences.length - 10} more` : '';
  return `The database lacks parts of its schema, or they were changed: ${differences.slice(0, 10).join('; ')}${more}. Restore them from a backup, or undo the change by hand (server/base/database/schema.sql is the expected schema).`;
}

const tableOf = (object: string): string => /^\w+ (\w+)/.exec(object)![1]!;

/** The objects that `schema.sql` contains, written as the query writes those of the database. */
function objectsOf(text: string): string[] {
  const objects: string[] = [];
  let table = '';
  let isInside = false;
  for (const line of text.split('\n')) {
    if (line.startsWith(tableStart)) {
      table = line.slice(tableStart.length, line.indexOf(' ('));
      isInside = true;
      objects.push(`table ${table}`);
    } else if (line === ');') isInside = false;
    else if (isInside) objects.push(...memberOf(table, line.trim().replace(/,$/, '')));
    else {
      const [, kind, name] = /^create (?:unique )?(index|sequence|view) (\w+)/.exec(line) ?? [];
      const trigger = /^-- trigger (\w+):/.exec(line)?.[1];
      if (kind !== undefined) objects.push(`${kind} ${name}`);
      if (trigger !== undefined) objects.push(`trigger ${table}.${trigger}`);
    }
  }
  return objects;
}

/** A column or a key of a table; nothing for a check. */
function memberOf(table: string, line: string): string[] {
  if (line.startsWith('check (')) return [];
  if (/^(primary key|unique|foreign key) \(/.test(line)) return [`constraint ${table} ${line.toLowerCase()}`];
  const [declaration, isNullable] = [
    line.split(/ (?:collate|default|generated) /)[0]!,
    !/ not null\b/.test(line),
  ];
  const type = declaration.replace(' not null', '').replace('timestamptz', 'timestamp with time zone');
  return [`column ${table}.${type}${isNullable ? '' : ' not null'}`];
}
