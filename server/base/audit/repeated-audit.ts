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

/** Maximum of entries of one action between two flushes. */
const maxEntries = 100;

interface Repeated {
  readonly entry: NewAuditEntry;
  count: number;
}

interface ActionEntries {
  readonly byKey: Map<string, Repeated>;
  /** Entries beyond the maximum. */
  omitted: number;
}

/**
 * Keeps the audit log small: two entries between two flushes for the same action of the same user or network at the
 * same target, and a bounded number for each action, so that strangers can neither fill the disk nor hide in a crowd of
 * other actions.
 */
export function openRepeatedAudit(db: Db, log: Logger): RepeatedAudit {
  let actions = new Map<string, ActionEntries>();

  const write = (entry: NewAuditEntry): Promise<void> =>
    recordAudit(db, entry).catch((error: unknown) => {
      log.error({ err: error, action: entry.action }, 'an entry of the audit log could not be stored');
    });

  return {
    async record(entry, about = entry.targetId) {
      const entries = entriesOf(actions, entry.action);
      const key = keyOf(entry, about);
      const known = entries.byKey.get(key);
      if (known) {
        known.count++;
      } else if (entries.byKey.size >= maxEntries) {
        entries.omitted++;
      } else {
        entries.byKey.set(key, { entry, count: 0 });
        await write(entry);
      }
    },
    async flush(now) {
      const ended = actions;
      actions = new Map();
      for (const [action, { byKey, omitted }] of ended) {
        for (const { entry, count } of byKey.values()) {
          if (count === 0) continue;
          const repeated = { count, since: entry.now.toISOString() };
          await write({ ...entry, now, detail: { ...entry.detail, repeated } });
        }
        const nobody = { userId: '', address: '' };
        if (omitted > 0) await write({ now, caller: nobody, action, targetId: '', detail: { omitted } });
      }
    },
  };
}

function entriesOf(actions: Map<string, ActionEntries>, action: string): ActionEntries {
  const entries = actions.get(action) ?? { byKey: new Map<string, Repeated>(), omitted: 0 };
  actions.set(action, entries);
  return entries;
}

/** A user is one wherever they are, strangers are one per network. */
function keyOf({ caller, projectId = '' }: NewAuditEntry, about: string): string {
  const who = caller.userId === '' ? networkOf(caller.address) : caller.userId;
  return JSON.stringify([who, projectId, about]);
}
