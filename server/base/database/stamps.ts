import { sql, type RawBuilder } from 'kysely';
import { exactFilter, timeFilter } from './lists.ts';
import type { StampColumns } from './schema.ts';

// Columns that every resource has besides its own: id, creation, last change, revision.

type StampedRow = StampColumns & { readonly id: string };

/** Converts the stamps of a row to the fields of a resource. */
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

/** The stamps that a change of a row sets. */
export function changedBy(by: string, now: Date) {
  return { revision: sql<number>`revision + 1`, updated_at: now, updated_by: by };
}

interface StampQuery {
  readonly createdAt?: readonly string[] | undefined;
  readonly createdBy?: readonly string[] | undefined;
  readonly updatedAt?: readonly string[] | undefined;
  readonly updatedBy?: readonly string[] | undefined;
}

/** List filters that every resource has. @param alias of its table in the query */
export function stampConditions(alias: string, query: StampQuery): (RawBuilder<unknown> | undefined)[] {
  return [
    timeFilter('createdAt', `${alias}.created_at`, query.createdAt),
    exactFilter(`${alias}.created_by`, query.createdBy),
    timeFilter('updatedAt', `${alias}.updated_at`, query.updatedAt),
    exactFilter(`${alias}.updated_by`, query.updatedBy),
  ];
}

/** The `orderBy` names that every resource has. */
export function stampOrder(alias: string) {
  return {
    createdAt: `${alias}.created_at`,
    createdBy: `${alias}.created_by`,
    updatedAt: `${alias}.updated_at`,
    updatedBy: `${alias}.updated_by`,
    _id: `${alias}.id`,
  };
}
