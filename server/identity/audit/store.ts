import type { AuditEntry, AuditListQuery } from '@platen/contract/audit';
import type { FreeForm, Page } from '@platen/contract/schema';
import { sql } from 'kysely';
import type { Db } from '../../base/database/database.ts';
import { exactFilter, selectPage, timeFilter } from '../../base/database/lists.ts';
import type { AuditTable } from '../../base/database/schema.ts';
import { newId } from '../../base/ids.ts';

interface NewEntry {
  readonly now: Date;
  readonly caller: { readonly userId: string; readonly address: string };
  readonly action: string;
  readonly projectId?: string;
  readonly targetId: string;
  readonly detail?: FreeForm;
}

/** Adds an entry to the audit log. Call it in the transaction of the change, and never put a secret into `detail`. */
export async function recordAudit(
  db: Db,
  { now, caller, action, projectId = '', targetId, detail = {} }: NewEntry,
): Promise<void> {
  await db
    .insertInto('audit_entry')
    .values({
      id: newId(now),
      created_at: now,
      actor_id: caller.userId,
      address: caller.address,
      action,
      project_id: projectId,
      target_id: targetId,
      detail: JSON.stringify(detail),
    })
    .execute();
}

export function findAuditEntries(db: Db, query: AuditListQuery): Promise<Page<AuditEntry>> {
  return selectPage(db, {
    from: sql`audit_entry a`,
    columns: sql`a.*`,
    where: [
      timeFilter('createdAt', 'a.created_at', query.createdAt),
      exactFilter('a.actor_id', query.actorId),
      exactFilter('a.action', query.action),
      exactFilter('a.project_id', query.projectId),
      exactFilter('a.target_id', query.targetId),
    ],
    order: { createdAt: 'a.created_at' },
    tieBreak: 'a.id',
    query,
    fromRow,
  });
}

function fromRow(row: Omit<AuditTable, 'detail'> & { detail: FreeForm }): AuditEntry {
  return {
    _id: row.id,
    createdAt: row.created_at.toISOString(),
    actorId: row.actor_id,
    address: row.address,
    action: row.action,
    projectId: row.project_id,
    targetId: row.target_id,
    detail: row.detail,
  };
}
