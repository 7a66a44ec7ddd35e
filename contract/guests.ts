import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { filter, Id, listQuery, page, Timestamp } from './schema.ts';

/** A user with access to a single app, and to nothing else of the project unless also a member. */
export const Guest = Type.Object({
  _id: Id,
  username: Type.String(),
  isActive: Type.Boolean({ description: 'Deactivated users have no access' }),
  createdAt: { ...Timestamp, description: 'When the user became a guest' },
  createdBy: Type.String(),
});
export type Guest = Static<typeof Guest>;

export const GuestListQuery = listQuery(['username', 'createdAt', 'createdBy', '_id'], {
  username: filter.text(),
  createdAt: filter.time(),
  createdBy: filter.exact(),
});
export type GuestListQuery = Static<typeof GuestListQuery>;

const path = '/project/:projectId/app/:appId';
const tag = 'apps';

export const guestEndpoints = endpoints({
  getProjectAppGuests: {
    method: 'GET',
    path: `${path}/guests`,
    tag,
    summary: 'List the guests of an app',
    access: { permission: 'getACL' },
    query: GuestListQuery,
    reply: page(Guest),
  },
  putProjectAppGuest: {
    method: 'PUT',
    path: `${path}/guest/:userId`,
    tag,
    summary: 'Add a guest, who may see the app and its data',
    description: 'Equivalent to granting the role appGuest on the app.',
    access: { permission: 'grantRole' },
    errors: ['unusable_reference'],
  },
  deleteProjectAppGuest: {
    method: 'DELETE',
    path: `${path}/guest/:userId`,
    tag,
    summary: 'Remove a guest, effective immediately',
    access: { permission: 'revokeRole' },
  },
});
