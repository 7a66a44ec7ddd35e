import type { FreeForm } from '@platen/contract/schema';
import type { Db } from '../database/database.ts';
import { newId } from '../ids.ts';

/** The user behind an action, with the address and the program. */
export interface Actor {
  /** Empty for the service itself and for strangers. */
  readonly userId: string;
  readonly address: string;
  readonly userAgent?: string;
}

export interface NewAuditEntry {
  readonly now: Date;
  readonly caller: Actor;
  readonly action: string;
  readonly projectId?: string;
  readonly targetId: string;
  readonly detail?: FreeForm;
}

/** Adds an entry to the audit log. Call it in the transaction of the change, and never put a secret into `detail`. */
export async function recordAudit(
  db: Db,
  { now, caller, action, projectId = '', targetId, detail = {} }: NewAuditEntry,
): Promise<void> {
  await db
    .insertInto('audit_entry')
    .values({
      id: newId(now),
      created_at: now,
      actor_id: caller.userId,
      address: caller.address,
      user_agent: caller.userAgent ?? '',
      action,
      project_id: projectId,
      target_id: targetId,
      detail: JSON.stringify(detail),
    })
    .execute();
}

/** The fields that differ, each as `{ from, to }`. */
export function changesOf<T extends object>(before: T, after: T, names: readonly (keyof T)[]): FreeForm {
  const differs = (name: keyof T) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return Object.fromEntries(
    names.filter(differs).map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]),
  );
}
