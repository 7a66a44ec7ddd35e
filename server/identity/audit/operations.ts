import type { AuditEntry, AuditListQuery } from '@platen/contract/audit';
import type { Page } from '@platen/contract/schema';
import type { Context } from '../../base/context.ts';
import { findAuditEntries } from './store.ts';

export function listAuditEntries({ db }: Context, query: AuditListQuery): Promise<Page<AuditEntry>> {
  return findAuditEntries(db, query);
}
