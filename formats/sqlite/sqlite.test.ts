import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { BytesError } from '../bytes/bytes.ts';
import { mutate, seeded } from '../wkb/testing.ts';
import { inMemory } from '../zip/testing.ts';
import { openSqlite, type Finder, type SqliteFile, type SqliteRow, type SqliteTable } from './open-sqlite.ts';
import { SqliteError } from './sqlite-error.ts';
import { afterFile } from '../../checks/clean-up.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-sqlite-'));
afterFile(() => rmSync(folder, { recursive: true }));
let count = 0;

/** The bytes of a database that SQLite itself made. */
function made(make: (database: DatabaseSync) => void, path = join(folder, `${++count}.db`)): Buffer {
  const database = new DatabaseSync(path);
  make(database);
  database.close();
  return readFileSync(path);
}

const opened = (bytes: Uint8Array): Promise<SqliteFile> =>
  openSqlite(inMemory(bytes), { cacheBytes: 1 << 17 });

async function tableIn(bytes: Uint8Array, name = 't'): Promise<SqliteTable> {
  const table = (await opened(bytes)).table(name);
  assert.ok(table, name);
  return table;
}

const all = (rows: AsyncIterable<SqliteRow>) => Array.fromAsync(rows);

async function first(
  finder: Finder | undefined,
  ...values: (number | string)[]
): Promise<SqliteRow | undefined> {
  assert.ok(finder);
  for await (const row of finder(values)) return row;
  return undefined;
}

/** The result of a query by SQLite itself. */
function query(path: string, sql: string, ...values: SQLInputValue[]): SqliteRow[] {
  const database = new DatabaseSync(path);
  try {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    return (statement.all(...values) as unknown as SqliteRow[]).map((row) => row.map(narrow));
  } finally {
    database.close();
  }
}

/** SQLite returns all integers as bigint here, our reader only those beyond a double. */
function narrow(value: SqliteRow[number]): SqliteRow[number] {
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function randomValue(random: (below: number) => number): SQLInputValue {
  const kind = random(9);
  if (kind === 0) return null;
  if (kind === 1) return random(3) - 1;
  if (kind === 2) return -random(2 ** 31);
  if (kind === 3) return 2n ** 62n + BigInt(random(1000));
  if (kind === 4) return random(1e6) / 7;
  if (kind === 5) return 'täxt 𝄞 '.repeat(random(4));
  if (kind === 6) return 'long '.repeat(random(3000));
  if (kind === 7) return new Uint8Array(random(9000)).fill(random(256));
  return random(2 ** 31) * 2 ** 15;
}

const layouts = [
  ['utf-8', 512, 0],
  ['utf-16le', 1024, 1],
  ['utf-16be', 65_536, 0],
  ['utf-8', 4096, 2],
] as const;

for (const [encoding, pageSize, vacuum] of layouts) {
  test(`random rows are read and found as SQLite does: ${encoding}, pages of ${pageSize} bytes`, async () => {
    const path = join(folder, `${++count}.db`);
    const random = seeded(pageSize);
    const bytes = made((database) => {
      database.exec(`pragma encoding = '${encoding}'; pragma page_size = ${pageSize}; pragma auto_vacuum = ${vacuum};
        create table t (a, b text, c integer, d blob);
        create index ab on t (b desc, c);
        create table w (k integer, "name " text, v, primary key ("name ", k desc)) without rowid;
        begin`);
      const insert = database.prepare('insert into t values (?, ?, ?, ?)');
      const keep = database.prepare('insert or ignore into w values (?, ?, ?)');
      for (let i = 0; i < 900; i++) {
        insert.run(randomValue(random), `name ${random(40)}é`, random(9), randomValue(random));
        keep.run(random(5000), `k${random(50)}`, randomValue(random));
      }
      database.exec('commit; delete from t where rowid % 7 = 3; alter table t add column e');
    }, path);
    const t = await tableIn(bytes);
    assert.deepEqual(t.columns, ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(await all(t.rows()), query(path, 'select a, b, c, d, null from t order by rowid'));
    const find = t.finder(['c', 'b'])!;
    for (let i = 0; i < 40; i += 3) {
      const expected = query(path, 'select * from t where b = ? and c = 5 order by rowid', `name ${i}é`);
      assert.deepEqual(await all(find([5, `name ${i}é`])), expected);
    }
    const w = await tableIn(bytes, 'W');
    assert.deepEqual(await all(w.rows()), query(path, 'select * from w order by "name ", k desc'));
    const named = w.finder(['NAME '])!;
    assert.deepEqual(
      await all(named(['k7'])),
      query(path, `select * from w where "name " = 'k7' order by k desc`),
    );
  });
}

test('rows are found by their rowid, and by the indexes that keys make by themselves', async () => {
  const bytes = made((database) => {
    database.exec(`create table t (id integer primary key, "odd, name" text unique, [x] real, unique (x, id), check (x > 0));
      insert into t values (7, 'seven', 7.5), (9007199254740993, 'large', 1), (-3, 'negative', 2)`);
  });
  const t = await tableIn(bytes);
  assert.deepEqual(t.columns, ['id', 'odd, name', 'x']);
  assert.deepEqual(await first(t.finder(['id']), 7), [7, 'seven', 7.5]);
  assert.deepEqual(await first(t.finder(['ID']), -3), [-3, 'negative', 2]);
  assert.deepEqual(await first(t.finder(['odd, name']), 'large'), [9007199254740993n, 'large', 1]);
  assert.deepEqual(await first(t.finder(['x']), 2), [-3, 'negative', 2]);
  assert.equal(await first(t.finder(['id']), 8), undefined);
  assert.equal(await first(t.finder(['odd, name']), 'Seven'), undefined);
});

test('columns that no index begins with, or with other collations, cannot be looked up', async () => {
  const bytes = made((database) => {
    database.exec(`create table t (a text collate nocase, b, c, d text, "integer" text primary key);
      create index by_a on t (a); create index part on t (b) where c > 1; create index calc on t (lower(c));
      create index good on t (d, b, c); create index cased on t (d collate nocase);
      create virtual table if not exists v using fts5(x)`);
  });
  const file = await opened(bytes);
  const t = file.table('t')!;
  for (const columns of [['a'], ['b'], ['c'], ['b', 'c'], ['d', 'c'], ['d', 'b', 'c', 'a'], ['none']])
    assert.equal(t.finder(columns), undefined, columns.join());
  for (const columns of [['d'], ['b', 'd'], ['c', 'b', 'd'], ['integer']])
    assert.ok(t.finder(columns), columns.join());
  assert.equal(file.table('v'), undefined);
});

test('a lookup among 200,000 rows reads a few blocks', async () => {
  const path = join(folder, 'large.db');
  const bytes = inMemory(
    made((database) => {
      database.exec(`create table t (z integer, x integer, y integer, d blob); create unique index i on t (z, x, y);
      with recursive n (i) as (select 0 union all select i + 1 from n where i < 199999)
      insert into t select i % 7, i / 7, i * 3, zeroblob(20) from n`);
    }, path),
  );
  const file = await openSqlite(bytes);
  const find = file.table('t')!.finder(['z', 'x', 'y']);
  bytes.look();
  assert.deepEqual(await first(find, 100_000 % 7, Math.floor(100_000 / 7), 300_000), [
    5,
    14_285,
    300_000,
    new Uint8Array(20),
  ]);
  const { reads, bytes: read } = bytes.look();
  assert.ok(reads <= 7 && read < 300_000, `${reads} reads of ${read} bytes`);
});

test('a database in WAL mode is read when all of it is in the file, and refused with words otherwise', async () => {
  const path = join(folder, 'wal.db');
  const database = new DatabaseSync(path);
  database.exec(
    'pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (a); insert into t values (1)',
  );
  await assert.rejects(opened(readFileSync(path)), (error) => {
    assert.ok(error instanceof SqliteError);
    assert.match(error.message, /-wal.*wal_checkpoint/);
    return true;
  });
  database.close();
  assert.deepEqual(await all((await tableIn(readFileSync(path))).rows()), [[1]]);
});

test('other files and truncated databases are refused', async () => {
  const bytes = made((database) =>
    database.exec('create table t (a); insert into t values (zeroblob(50000))'),
  );
  await assert.rejects(opened(Buffer.from('SQLite format 2')), /not an SQLite database/);
  await assert.rejects(opened(bytes.subarray(0, 8192)), /cut off/);
});

test('pages that form a loop end with an error', async () => {
  const bytes = made((database) => {
    database.exec(`pragma page_size = 512; create table t (a);
      with recursive n (i) as (select 0 union all select i + 1 from n where i < 5000) insert into t select i from n`);
  });
  const root = bytes.subarray(512, 1024);
  root.writeUInt32BE(2, 8); // the right child of the root of t is itself
  await assert.rejects(async () => all((await tableIn(bytes)).rows()), /damaged/);
});

test('a file changed anywhere is read or refused, and reading never hangs', async () => {
  const bytes = made((database) => {
    database.exec(`pragma page_size = 512; create table t (a integer primary key, b text unique, c blob);
      create table w (a text primary key, b) without rowid;
      with recursive n (i) as (select 0 union all select i + 1 from n where i < 300)
      insert into t select i, 'text ' || i, zeroblob(i * 5) from n;
      insert into w select b, c from t`);
  });
  for (let seed = 0; seed < 300; seed++) {
    try {
      const file = await opened(mutate(bytes, seed));
      for (const name of file.tableNames) {
        const table = file.table(name)!;
        for await (const _ of table.rows());
        for (const column of table.columns)
          for await (const _ of table.finder([column])?.(['text 77']) ?? []);
      }
    } catch (error) {
      if (!(error instanceof BytesError)) throw error;
    }
  }
});
