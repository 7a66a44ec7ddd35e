import type { Logger } from 'pino';
import type { Db } from '../database/database.ts';
import { networkOf } from '../network.ts';
import { recordAudit, type NewAuditEntry } from './record-audit.ts';

/** Entries about what anybody can repeat at will, such as failed logins and refused requests. */
export interface RepeatedAudit {
  /**
   * Adds an entry at once, or counts it if the same has happened since the last flush. Does not throw.
   * @param about distinguishes entries, if it is not the target
   */
  record(entry: NewAuditEntry, about?: string): Promise<void>;
  /** Adds the counts as entries of their own, and begins again. */
  flush(now: Date): Promise<void>;
}

/** Maximum of entries of one action between two flushes, of each user and of all strangers together. */
const maxEntries = 100;

interface Repeated {
  readonly entry: NewAuditEntry;
  count: number;
}

/** The entries of one action by one user, or by all strangers. */
interface Group {
  readonly action: string;
  /** Empty for strangers. */
  readonly userId: string;
  readonly byKey: Map<string, Repeated>;
  /** Entries beyond the maximum. */
  omitted: number;
}

/**
 * Keeps the audit log small: two entries between two flushes for the same action of the same user or network at the
 * same target, and a bounded number of targets, so that nobody can fill the disk. Each user has a number of their own,
 * so that nobody can hide what others do in a crowd of entries either.
 */
export function openRepeatedAudit(db: Db, log: Logger): RepeatedAudit {
  let groups = new Map<string, Group>();

  const write = (entry: NewAuditEntry): Promise<boolean> =>
    recordAudit(db, entry).then(
      () => true,
      (error: unknown) => {
        log.error({ err: error, action: entry.action }, 'an entry of the audit log could not be stored');
        return false;
      },
    );

  return {
    async record(entry, about = entry.targetId) {
      const group = groupOf(groups, entry);
      const key = keyOf(entry, about);
      const known = group.byKey.get(key);
      if (known) {
        known.count++;
      } else if (group.byKey.size >= maxEntries) {
        group.omitted++;
      } else {
        group.byKey.set(key, { entry, count: 0 });
        // if it cannot be stored, the next one is
        if (!(await write(entry))) group.byKey.delete(key);
      }
    },
    async flush(now) {
      const ended = groups;
      groups = new Map();
      for (const { action, userId, byKey, omitted } of ended.values()) {
        for (const { entry, count } of byKey.values()) {
          if (count === 0) continue;
          const repeated = { count, since: entry.now.toISOString() };
          await write({ ...entry, now, detail: { ...entry.detail, repeated } });
        }
        const caller = { userId, address: '' };
        if (omitted > 0) await write({ now, caller, action, targetId: '', detail: { omitted } });
      }
    },
  };
}

function groupOf(groups: Map<string, Group>, { action, caller: { userId } }: NewAuditEntry): Group {
  return groups.getOrInsertComputed(JSON.stringify([action, userId]), () => ({
    action,
    userId,
    byKey: new Map(),
    omitted: 0,
  }));
}

/** A user is the same wherever they are; strangers are told apart by their network. */
function keyOf({ caller, projectId = '' }: NewAuditEntry, about: string): string {
  return JSON.stringify([caller.userId === '' && networkOf(caller.address), projectId, about]);
}
