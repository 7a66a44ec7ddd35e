import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTable } from './parse-table.ts';
import { maxSqlLength, tokensOf } from './sql-tokens.ts';
import { SqliteError } from './sqlite-error.ts';

const refused = (sql: string, message: RegExp) =>
  assert.throws(
    () => parseTable(sql),
    (error) => error instanceof SqliteError && message.test(error.message),
    sql.slice(0, 30),
  );

test('names, texts and comments are tokens of their own, whatever stands in them', () => {
  const sql = `create table "a ""b" ([c d] text default 'it''s', \`e\` -- end, of line\n /* ( */ real)`;
  assert.deepEqual(
    tokensOf(sql).map(({ text }) => text),
    ['create', 'table', 'a "b', '(', 'c d', 'text', 'default', "it's", ',', 'e', 'real', ')'],
  );
});

test('a statement above 64 KiB is refused before any of it is read', () => {
  refused(`create table t (${','.repeat(maxSqlLength)})`, /65553 characters. The limit is 65536/);
});

test('a quotation without an end is refused at once', () => {
  for (const quote of ['[', '"', "'", '`'])
    refused(`create table t (${quote.repeat(60_001)}`, /without an end/);
});

test('what SQLite does not make of a table is refused: two primary keys, thousands of columns', () => {
  refused(`create table t (${'a primary key,'.repeat(4000)} b)`, /two primary keys/);
  refused(`create table t (${'a unique,'.repeat(6000)} b)`, /more than 2000 columns/);
  assert.deepEqual(parseTable(`create table t (a, ${'unique unique '.repeat(4000)} (a))`).uniques.length, 2);
});
