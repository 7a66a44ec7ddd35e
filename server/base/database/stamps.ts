import { sql, type RawBuilder } from 'kysely';
import { exactFilter, timeFilter } from './lists.ts';
import type { StampColumns } from './schema.ts';

// What every resource has beside its own fields: its id, when and by whom it was made and last changed, its revision.

type StampedRow = StampColumns & { readonly id: string };

/** The fields of a resource that its row's stamps become. */
export function stampsOf(row: StampedRow) {
  return {
    _id: row.id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    revision: row.revision,
  };
}

/** The stamps of a new row. */
export function madeBy(by: string, now: Date): StampColumns {
  return { revision: 1, created_at: now, created_by: by, updated_at: now, updated_by: by };
}

/** What a change does to the stamps of a row. */
export function changedBy(by: string, now: Date) {
  return { revision: sql<number>`revision + 1`, updated_at: now, updated_by: by };
}

interface StampQuery {
  readonly createdAt?: readonly string[] | undefined;
  readonly createdBy?: readonly string[] | undefined;
  readonly updatedAt?: readonly string[] | undefined;
  readonly updatedBy?: readonly string[] | undefined;
}

/** The list filters that every resource has; `alias` is its table's in the query. */
export function stampConditions(alias: string, query: StampQuery): (RawBuilder<unknown> | undefined)[] {
  return [
    timeFilter('createdAt', `${alias}.created_at`, query.createdAt),
    exactFilter(`${alias}.created_by`, query.createdBy),
    timeFilter('updatedAt', `${alias}.updated_at`, query.updatedAt),
    exactFilter(`${alias}.updated_by`, query.updatedBy),
  ];
}

/** The names to sort by that every resource has. */
export function stampOrder(alias: string) {
  return {
    createdAt: `${alias}.created_at`,
    createdBy: `${alias}.created_by`,
    updatedAt: `${alias}.updated_at`,
    updatedBy: `${alias}.updated_by`,
    _id: `${alias}.id`,
  };
}
