import type { ListQuery, Page } from '@platen/contract/schema';
import { sql, type RawBuilder } from 'kysely';
import { Failure, invalidAt } from '../failure.ts';
import type { Db } from './database.ts';
import { unprepared } from './prepared-statements.ts';

type Condition = RawBuilder<unknown>;

interface ListSpec<Row, Item> {
  /** The table or join, as written after `from`. */
  readonly from: RawBuilder<unknown>;
  /** The selected columns: the shape of the row. */
  readonly columns: RawBuilder<unknown>;
  readonly where: readonly (Condition | undefined)[];
  /** The columns for the names that `orderBy` accepts. */
  readonly order: Readonly<Record<string, string>>;
  /** A unique column that makes the order total. */
  readonly tieBreak: string;
  readonly query: ListQuery;
  /**
   * For lists of millions of rows: selects the ids of the page first, using only an index if one has the order and the
   * conditions, and then reads and joins only those rows.
   */
  readonly picked?: {
    readonly alias: string;
    readonly joined?: RawBuilder<unknown>;
    /**
     * True if a condition is a range over another column than the order: all matching rows are sorted. Otherwise
     * PostgreSQL
     * would walk the list from its start, hoping to find enough matches soon.
     */
    readonly inRange?: boolean;
  };
  /** The total, if it is known without counting. */
  readonly total?: RawBuilder<unknown> | undefined;
  /** JSON columns of up to 1 MiB each. */
  readonly heavy?: readonly RawBuilder<unknown>[];
  readonly fromRow: (row: Row) => Item;
}

const defaultLimit = 20;
const maxHeavyMiB = 64;

/**
 * One page of a list and the total number of matches, newest first by default, in one round trip.
 * @throws Failure `too_large` if a page of more than the default number of rows has over 64 MiB in its `heavy` columns
 */
export async function selectPage<Row, Item>(db: Db, spec: ListSpec<Row, Item>): Promise<Page<Item>> {
  const { limit, page } = spec.query;
  const conditions = spec.where.filter((condition) => condition !== undefined);
  const where = conditions.length > 0 ? sql` where ${sql.join(conditions, sql` and `)}` : sql``;
  const order = orderOf(spec);
  const { picked, total = sql`select count(*) as total_count from ${spec.from}${where}` } = spec;
  const matching = picked?.inRange
    ? sql`(select * from ${spec.from}${where} offset 0) ${sql.ref(picked.alias)}`
    : sql`${spec.from}${where}`;
  const select = (columns: RawBuilder<unknown>) =>
    sql`select ${columns} from ${matching} order by ${order} limit ${limit} offset ${page * limit}`;
  const pageOf = (columns: RawBuilder<unknown>) => {
    if (!picked) return select(columns);
    const id = sql.ref(`${picked.alias}.id`);
    return sql`select ${columns} from (${select(sql`${id} as id`)}) picked
      join ${spec.from} on ${id} = picked.id ${picked.joined ?? sql``} order by ${order}`;
  };
  if (spec.heavy && limit > defaultLimit) await requireFit(db, spec.heavy, pageOf);
  // a page beyond the last is one row of nulls with the total
  const { rows } = await sql<
    Row & { total_count: number; is_item: true | null }
  >`${picked ? unprepared : sql``}
    select item.*, all_items.total_count from (${total}) all_items
    left join lateral (${pageOf(sql`${spec.columns}, true as is_item`)}) item on true`.execute(db);
  const totalCount = rows[0]!.total_count;
  return {
    items: rows.filter((row) => row.is_item).map(spec.fromRow),
    limit,
    page,
    totalCount,
    totalPages: Math.ceil(totalCount / limit),
  };
}

/** Sums the sizes in a separate query, so that only rows of the page are measured. */
async function requireFit(
  db: Db,
  heavy: readonly RawBuilder<unknown>[],
  pageOf: (columns: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  const named = heavy.map((column, index) => [column, sql.ref(`heavy_${index}`)] as const);
  const columns = named.map(([column, name]) => sql`${column} as ${name}`);
  const bytes = named.map(([, name]) => sql`coalesce(octet_length(${name}::text), 0)`);
  const { rows } = await sql<{ mebibytes: number }>`
    select coalesce(ceil(sum(${sql.join(bytes, sql` + `)}) / 1048576.0), 0)::int as mebibytes
    from (${pageOf(sql.join(columns))}) page`.execute(db);
  const { mebibytes } = rows[0]!;
  if (mebibytes <= maxHeavyMiB) return;
  const detail = `These items total ${mebibytes} MiB; the maximum is ${maxHeavyMiB} MiB. Request fewer with a smaller limit.`;
  throw new Failure('too_large', `limit: ${detail}`, {
    errors: [{ pointer: 'limit', code: 'too_large', detail }],
  });
}

function orderOf<Row, Item>({ query, order, tieBreak }: ListSpec<Row, Item>): RawBuilder<unknown> {
  const newestFirst = query.orderBy === undefined || query.orderBy.length === 0;
  const direction = sql.raw((query.sort ?? (newestFirst ? 'desc' : 'asc')) === 'desc' ? 'desc' : 'asc');
  const names = newestFirst ? ['createdAt'] : query.orderBy!;
  const columns = [...names.map((name) => order[name] ?? tieBreak), tieBreak];
  return sql.join([...new Set(columns)].map((column) => sql`${sql.ref(column)} ${direction}`));
}

/** Case-insensitive substring; several values mean any of them. */
export function textFilter(column: string, values: readonly string[] | undefined): Condition | undefined {
  if (!values?.length) return undefined;
  const patterns = values.map((value) => `%${value.replace(/[\\%_]/g, '\\$&')}%`);
  return sql`${sql.ref(column)} collate platen_text ilike any(${patterns})`;
}

export function exactFilter(column: string, values: readonly string[] | undefined): Condition | undefined {
  if (!values?.length) return undefined;
  // with equality, an index can also provide the order
  if (values.length === 1) return sql`${sql.ref(column)} = ${values[0]}`;
  return sql`${sql.ref(column)} = any(${[...values]})`;
}

export function exceptFilter(column: string, values: readonly string[] | undefined): Condition | undefined {
  return values?.length ? sql`${sql.ref(column)} <> all(${[...values]})` : undefined;
}

export function numberFilter(column: string, values: readonly number[] | undefined): Condition | undefined {
  return values?.length ? sql`${sql.ref(column)} = any(${[...values]}::float8[])` : undefined;
}

/**
 * Instants, or ranges `from/to` with `..` for an open end, any of which must match; and bounds such as `gte:`, all of
 * which must hold. Instants and both ends of ranges are inclusive to the millisecond. Written so that an index applies.
 */
export function timeFilter(
  name: string,
  column: string,
  values: readonly string[] | undefined,
): Condition | undefined {
  if (!values?.length) return undefined;
  const ref = sql.ref(column);
  const bounds: Condition[] = [];
  const ranges: Condition[] = [];
  for (const value of values) {
    const [, operator, text] = /^([a-z]+):(.*)$/s.exec(value) ?? [];
    if (operator === undefined) ranges.push(inRange(name, ref, value));
    else bounds.push(atBound(name, ref, { operator, text: text! }));
  }
  if (ranges.length > 0) bounds.push(sql`(${sql.join(ranges, sql` or `)})`);
  return sql`(${sql.join(bounds, sql` and `)})`;
}

/** The end of the millisecond, as columns have microseconds. */
const endOf = (at: Date) => sql`${at}::timestamptz + interval '1 ms'`;

function inRange(name: string, column: Condition, value: string): Condition {
  const [from, to, ...rest] = value.split('/');
  if (rest.length > 0) throw invalidAt(name, 'A range has the form from/to.');
  if (to === undefined) {
    const at = instant(name, from!);
    return sql`(${column} >= ${at} and ${column} < ${endOf(at)})`;
  }
  const ends = [
    ...(from === '..' || from === '' ? [] : [sql`${column} >= ${instant(name, from!)}`]),
    ...(to === '..' || to === '' ? [] : [sql`${column} < ${endOf(instant(name, to))}`]),
  ];
  return ends.length > 0 ? sql`(${sql.join(ends, sql` and `)})` : sql`true`;
}

function atBound(
  name: string,
  column: Condition,
  { operator, text }: { readonly operator: string; readonly text: string },
): Condition {
  const at = instant(name, text);
  if (operator === 'gte') return sql`${column} >= ${at}`;
  if (operator === 'gt') return sql`${column} >= ${endOf(at)}`;
  if (operator === 'lt') return sql`${column} < ${at}`;
  if (operator === 'lte') return sql`${column} < ${endOf(at)}`;
  throw invalidAt(name, `“${operator}:” is unknown. The bounds are gt:, gte:, lt: and lte:.`);
}

function instant(name: string, text: string): Date {
  const date = new Date(text);
  const year = date.getUTCFullYear(); // NaN for an invalid date
  if (/^\d{4}-\d\d-\d\d/.test(text) && year >= 1 && year <= 9999) return date;
  throw invalidAt(name, `“${text}” is not an ISO 8601 date-time such as 2026-11-20T08:00:00.000Z.`);
}

/** Boxes that intersect `w,s,e,n`; both may cross the antimeridian (west > east). */
export function bboxFilter(column: string, text: string | undefined): Condition | undefined {
  if (text === undefined) return undefined;
  const [west, south, east, north, ...rest] = text
    .split(',')
    .map((part) => (part.trim() === '' ? NaN : Number(part)));
  const ok =
    rest.length === 0 &&
    [west, east].every((lon) => Math.abs(lon!) <= 180) &&
    [south, north].every((lat) => Math.abs(lat!) <= 90) &&
    south! <= north!;
  if (!ok)
    throw invalidAt('bbox', 'The box must be w,s,e,n in degrees: |lon| ≤ 180, |lat| ≤ 90, south ≤ north.');
  const c = sql.ref(column);
  const overlaps = (w: number, e: number) => sql`case when ${c}[1] <= ${c}[3]
    then ${c}[1] <= ${e}::float8 and ${c}[3] >= ${w}::float8
    else ${c}[1] <= ${e}::float8 or ${c}[3] >= ${w}::float8 end`;
  const lon =
    west! <= east! ? overlaps(west!, east!) : sql`(${overlaps(west!, 180)} or ${overlaps(-180, east!)})`;
  return sql`(${c}[2] <= ${north!}::float8 and ${c}[4] >= ${south!}::float8 and ${lon})`;
}
