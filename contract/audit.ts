import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { filter, FreeForm, Id, listQuery, page, Timestamp } from './schema.ts';

/** One change of users, roles, memberships, publicity or credentials. Entries are only ever added. */
export const AuditEntry = Type.Object({
  _id: Id,
  createdAt: Timestamp,
  actorId: Type.String({
    description: 'User who performed the action; empty for the service itself or an unknown caller',
  }),
  address: Type.String({ description: 'Network address of the caller' }),
  action: Type.String(),
  projectId: Type.String({ description: 'Empty if the entry belongs to no project' }),
  targetId: Type.String(),
  detail: FreeForm,
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditListQuery = listQuery(['createdAt'], {
  createdAt: filter.time(),
  actorId: filter.exact(),
  action: filter.exact(),
  projectId: filter.exact(),
  targetId: filter.exact(),
});
export type AuditListQuery = Static<typeof AuditListQuery>;

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
});
