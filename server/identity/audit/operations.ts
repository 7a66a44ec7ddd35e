import type { AuditEntry, AuditExportQuery, AuditListQuery } from '@platen/contract/audit';
import type { Page } from '@platen/contract/schema';
import { recordAudit } from '../../base/audit/record-audit.ts';
import type { Caller } from '../../base/caller.ts';
import type { Context } from '../../base/context.ts';
import { csvHeader, toCsv } from './csv.ts';
import { findAuditEntries, readAuditEntries } from './store.ts';

export function listAuditEntries({ db }: Context, query: AuditListQuery): Promise<Page<AuditEntry>> {
  return findAuditEntries(db, query);
}

/** The text of the audit log, in chunks. The export is recorded first, so that the text contains it. */
export async function exportAuditEntries(
  { db, now }: Context,
  caller: Caller,
  { format, ...query }: AuditExportQuery,
): Promise<AsyncIterable<string>> {
  const at = now();
  const entries = readAuditEntries(db, query, at);
  await recordAudit(db, { now: at, caller, action: 'audit.export', targetId: '', detail: { format } });
  return textOf(entries, format);
}

async function* textOf(
  chunks: AsyncIterable<AuditEntry[]>,
  format: AuditExportQuery['format'],
): AsyncGenerator<string> {
  if (format === 'csv') yield csvHeader;
  for await (const entries of chunks)
    yield entries.map((entry) => (format === 'csv' ? toCsv(entry) : `${JSON.stringify(entry)}\n`)).join('');
}
