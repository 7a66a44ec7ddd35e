import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { filter, FreeForm, Id, listQuery, oneOf, page, strict, Timestamp } from './schema.ts';

/**
 * A login, a refused request, an export, a deletion, or a change of users, rights, settings, publicity or credentials.
 * Entries are only ever added.
 */
export const AuditEntry = Type.Object({
  _id: Id,
  createdAt: Timestamp,
  actorId: Type.String({
    description: 'User who performed the action; empty for the service itself or an unknown caller',
  }),
  address: Type.String({ description: 'Network address of the caller' }),
  userAgent: Type.String({ description: 'The browser or program of the caller, as it names itself' }),
  action: Type.String(),
  projectId: Type.String({ description: 'Empty if the entry belongs to no project' }),
  targetId: Type.String(),
  detail: FreeForm,
});
export type AuditEntry = Static<typeof AuditEntry>;

const auditFilters = {
  createdAt: filter.time(),
  actorId: filter.exact(),
  action: filter.exact(),
  projectId: filter.exact(),
  targetId: filter.exact(),
};

const AuditFilter = strict(auditFilters);
export type AuditFilter = Static<typeof AuditFilter>;

export const AuditListQuery = listQuery(['createdAt'], auditFilters);
export type AuditListQuery = Static<typeof AuditListQuery>;

export const AuditExportQuery = strict({
  format: oneOf(['ndjson', 'csv']),
  ...auditFilters,
});
export type AuditExportQuery = Static<typeof AuditExportQuery>;

export const auditEndpoints = endpoints({
  getAudit: {
    method: 'GET',
    path: '/audit',
    tag: 'audit',
    summary: 'List the audit log, newest first',
    access: 'admin',
    query: AuditListQuery,
    reply: page(AuditEntry),
  },
  getAuditExport: {
    method: 'GET',
    path: '/audit/export',
    tag: 'audit',
    summary: 'Download the audit log, oldest first, as JSON lines or CSV',
    access: 'superUser',
    query: AuditExportQuery,
    download: true,
  },
});
