import type { Use, UseListQuery } from '@platen/contract/used-by';
import type { Page } from '@platen/contract/schema';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { selectPage } from '../../base/database/lists.ts';
import { Failure } from '../../base/failure.ts';
import type { Edge } from './edges.ts';

interface Row {
  type: Use['type'];
  id: string;
  name: string;
  role: Use['role'];
  blocks: boolean;
}

export function findUses(db: Db, edges: readonly Edge[], query: UseListQuery): Promise<Page<Use>> {
  return selectPage(db, {
    from: sql`(select *, type || ' ' || id || ' ' || role as place from (${union(edges)}) e) u`,
    columns: sql`*`,
    where: [],
    order: { type: 'type', name: 'name' },
    tieBreak: 'place',
    query: query.orderBy?.length ? query : { ...query, orderBy: ['type'] },
    fromRow: ({ id, type, name, role, blocks }: Row) => ({ type, _id: id, name, role, blocks }),
  });
}

/** The number of uses, as an SQL expression. */
export const numberOfUses = (edges: readonly Edge[]): RawBuilder<number> =>
  sql`(select count(*) from (${union(edges)}) e)`;

const maxCounted = 100;
const maxNamed = 5;

/** @throws Failure `conflict` that names what would break (up to 100 in `errors`) and says what to do */
export async function requireUnused(
  db: Db,
  what: string,
  edges: readonly Edge[],
  remedy = 'send force=true to delete it anyway.',
): Promise<void> {
  const { rows } = await sql<Row>`
    select * from (${union(edges)}) e where blocks order by type, id limit ${maxCounted}`.execute(db);
  if (rows.length === 0) return;
  const names = rows.slice(0, maxNamed).map(({ type, name, id }) => `the ${type} “${name}” (${id})`);
  const more =
    rows.length > maxNamed ? [`${rows.length === maxCounted ? 'many' : rows.length - maxNamed} more`] : [];
  const list = [...names, ...more].join(', ').replace(/, ([^,]*)$/, ' and $1');
  const errors = rows.map(({ type, id, name }) => ({
    pointer: `${type}/${id}`,
    code: 'in_use',
    detail: name,
  }));
  throw new Failure('conflict', `The ${what} is used by ${list}: ${remedy}`, { errors });
}

const union = (edges: readonly Edge[]) => sql.join(edges, sql` union all `);
