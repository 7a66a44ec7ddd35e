import type { AuditEntry, AuditFilter, AuditListQuery } from '@platen/contract/audit';
import type { FreeForm, Page } from '@platen/contract/schema';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, timeFilter } from '../../base/database/lists.ts';
import type { AuditTable } from '../../base/database/schema.ts';

type Row = Omit<AuditTable, 'detail'> & { detail: FreeForm };

const conditions = (query: AuditFilter) => [
  timeFilter('createdAt', 'a.created_at', query.createdAt),
  exactFilter('a.actor_id', query.actorId),
  exactFilter('a.action', query.action),
  exactFilter('a.project_id', query.projectId),
  exactFilter('a.target_id', query.targetId),
];

export function findAuditEntries(db: Db, query: AuditListQuery): Promise<Page<AuditEntry>> {
  return selectPage(db, {
    from: sql`audit_entry a`,
    columns: sql`a.*`,
    where: conditions(query),
    order: { createdAt: 'a.created_at' },
    tieBreak: 'a.id',
    query,
    fromRow,
  });
}

const chunkRows = 1000;

/**
 * All entries up to now, oldest first, in chunks that are read one after the other.
 * @throws Failure `invalid` for a filter that cannot be read, before the first chunk is read
 */
export function readAuditEntries(db: Db, query: AuditFilter, now: Date): AsyncIterable<AuditEntry[]> {
  return readChunks(db, [...conditions(query), sql`a.created_at <= ${now}`]);
}

async function* readChunks(
  db: Db,
  filters: readonly (RawBuilder<unknown> | undefined)[],
): AsyncGenerator<AuditEntry[]> {
  let last: Row | undefined;
  do {
    const after = last && sql`(a.created_at, a.id) > (${last.created_at}, ${last.id})`;
    const where = [...filters, after].filter((condition) => condition !== undefined);
    const { rows }: { rows: Row[] } = await sql<Row>`select a.* from audit_entry a
      where ${sql.join(where, sql` and `)} order by a.created_at, a.id limit ${chunkRows}`.execute(db);
    if (rows.length > 0) yield rows.map(fromRow);
    last = rows.length === chunkRows ? rows.at(-1) : undefined;
  } while (last);
}

function fromRow(row: Row): AuditEntry {
  return {
    _id: row.id,
    createdAt: row.created_at.toISOString(),
    actorId: row.actor_id,
    address: row.address,
    userAgent: row.user_agent,
    action: row.action,
    projectId: row.project_id,
    targetId: row.target_id,
    detail: row.detail,
  };
}
