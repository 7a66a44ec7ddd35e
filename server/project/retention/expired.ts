import type { CleanupKind } from '@platen/contract/cleanups';
import { sql, type RawBuilder } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { CleanUpOptions } from '../../base/removal-count.ts';

const quarterHourMs = 15 * 60_000;
const dayMs = 24 * 3_600_000;

/** Deletes expired rows. Each is already rejected by its time. */
export async function removeExpired(
  { db, now, settings }: Context,
  { report }: CleanUpOptions = {},
): Promise<void> {
  const at = now();
  const before = (ms: number) => new Date(at.getTime() - ms);
  const expired: readonly (readonly [CleanupKind, RawBuilder<unknown>])[] = [
    ['capability', sql`capability where expires_at <= ${at}`],
    ['visit', sql`share_visit where expires_at <= ${at}`],
    ['token', sql`token where expires_at <= ${at}`],
    ['passwordReset', sql`password_reset where expires_at <= ${at}`],
    ['enrolmentToken', sql`enrolment_token where expires_at <= ${at}`],
    ['idempotencyKey', sql`idempotent_request where created_at < ${before(dayMs)}`],
    [
      'auditEntry',
      sql`audit_entry where created_at < ${before(settings.keepAuditMs)} and created_at < now() - interval '30 days'`,
    ],
    ['loginFailure', sql`login_failure where at < ${before(quarterHourMs)}`],
  ];
  for (const [kind, rows] of expired) {
    const { numAffectedRows = 0n } = await sql`delete from ${rows}`.execute(db);
    report?.(kind, [{ count: Number(numAffectedRows) }]);
  }
}
