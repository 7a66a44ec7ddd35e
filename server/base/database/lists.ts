import type { ListQuery, Page } from '@platen/contract/schema';
import { sql, type RawBuilder } from 'kysely';
import { Failure, invalidAt } from '../failure.ts';
import type { Db } from './database.ts';
import { planAnew } from './prepared-statements.ts';

type Condition = RawBuilder<unknown>;

interface ListSpec<Row, Item> {
  /** The table or join to read, as it stands behind `from`. */
  readonly from: RawBuilder<unknown>;
  /** What to select; the row's shape. */
  readonly columns: RawBuilder<unknown>;
  readonly where: readonly (Condition | undefined)[];
  /** The columns behind the names that `orderBy` takes. */
  readonly order: Readonly<Record<string, string>>;
  /** Which makes the order complete. */
  readonly tieBreak: string;
  readonly query: ListQuery;
  /**
   * Where millions of rows may match: the ids of a page are picked first, in an index alone where one has the order and
   * the conditions, and only its rows are read, with what is `joined` to them alone.
   */
  readonly picked?: {
    readonly alias: string;
    readonly joined?: RawBuilder<unknown>;
    /**
     * A condition is a range of what the list is not sorted by: all that match are looked at. Otherwise PostgreSQL would
     * go through the list from its beginning, in the hope to find enough of them soon.
     */
    readonly inRange?: boolean;
  };
  /** How many match, where that is known without counting them. */
  readonly total?: RawBuilder<unknown> | undefined;
  /** JSON that is read for a row and may be up to 1 MiB each. */
  readonly heavy?: readonly RawBuilder<unknown>[];
  readonly fromRow: (row: Row) => Item;
}

const defaultLimit = 20;
const maxHeavyMiB = 64;

/**
 * One page of a list with the number of all that match, newest first unless asked otherwise; both in one round trip.
 * @throws Failure `too_large` for a page of more rows than by default whose `heavy` columns are above 64 MiB together
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
  // a page beyond the last is one row of nulls with the count
  const { rows } = await sql<Row & { total_count: number; is_item: true | null }>`${picked ? planAnew : sql``}
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

/** What is large is measured outside of the page, so that only the rows in it are looked into. */
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
  // of one value an index gives the order, too
  if (values.length === 1) return sql`${sql.ref(column)} = ${values[0]}`;
  return sql`${sql.ref(column)} = any(${[...values]})`;
}

/** Instants, or ranges `from/to` with `..` for an open end, both ends included, of milliseconds; as an index finds them. */
export function timeFilter(
  name: string,
  column: string,
  values: readonly string[] | undefined,
): Condition | undefined {
  if (!values?.length) return undefined;
  const ref = sql.ref(column);
  const isUntil = (at: Date) => sql`${ref} < ${at}::timestamptz + interval '1 ms'`;
  const ranges = values.map((value) => {
    const [from, to, ...rest] = value.split('/');
    if (rest.length > 0) throw invalidAt(name, 'A range has the form from/to.');
    if (to === undefined) {
      const at = instant(name, from!);
      return sql`(${ref} >= ${at} and ${isUntil(at)})`;
    }
    const ends = [
      ...(from === '..' || from === '' ? [] : [sql`${ref} >= ${instant(name, from!)}`]),
      ...(to === '..' || to === '' ? [] : [isUntil(instant(name, to))]),
    ];
    return ends.length > 0 ? sql`(${sql.join(ends, sql` and `)})` : sql`true`;
  });
  return sql`(${sql.join(ranges, sql` or `)})`;
}

function instant(name: string, text: string): Date {
  const date = new Date(text);
  const year = date.getUTCFullYear(); // NaN for what is no date
  if (/^\d{4}-\d\d-\d\d/.test(text) && year >= 1 && year <= 9999) return date;
  throw invalidAt(name, `“${text}” is not an ISO 8601 date-time such as 2026-11-20T08:00:00.000Z.`);
}

/** What intersects the box `w,s,e,n`; boxes on both sides may cross the antimeridian (west > east). */
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
