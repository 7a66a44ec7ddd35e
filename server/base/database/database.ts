import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from './schema.ts';
import { prepareStatements } from './prepared-statements.ts';

/** The database or a transaction on it; stores accept either. */
export type Db = Kysely<Tables> | Transaction<Tables>;

const { builtins } = pg.types;
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number], // counts and sizes stay far below 2^53
  [builtins.TIMESTAMPTZ, instantOf],
]);

const general = pg.types.getTypeParser(builtins.TIMESTAMPTZ, 'text') as (text: string) => Date;

/** Converts `2026-11-20 08:00:00.123+00`, as PostgreSQL writes instants, to the format that Date parses fastest. */
function instantOf(text: string): Date {
  if (!text.endsWith('+00') || text.length > 29) return general(text);
  const date = new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
  return Number.isNaN(date.getTime()) ? general(text) : date;
}

/** Opens a pool whose connections are established on demand. */
export function openDatabase(url: string, { maxConnections = 16 } = {}): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 60_000,
    application_name: 'platen',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        parsers.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
    } as pg.CustomTypesConfig,
  });
  pool.on('error', () => {}); // an idle connection broke; the pool opens another
  // a connection in use broke between queries or while opening: the next query fails, and the pool drops it
  pool.on('connect', (client) => void client.on('error', () => {}));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: prepareStatements(pool) }) });
}
