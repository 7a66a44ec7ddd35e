import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Deleted, Timestamp } from './schema.ts';

/** A path that opens the data of one app to one user, without a header or a cookie. */
export const Capability = Type.Object({
  token: Type.String({ description: 'Whoever has it may read what the app shows: keep it from others' }),
  path: Type.String({
    description: 'Put it in place of /data in the address of a datasource; each use puts its end off',
  }),
  expires: Timestamp,
});
export type Capability = Static<typeof Capability>;

const path = '/project/:projectId/app/:appId';
const tag = 'apps';

export const capabilityEndpoints = endpoints({
  postProjectAppCapability: {
    method: 'POST',
    path: `${path}/capability`,
    tag,
    summary: 'Get a path to the data of the app',
    description:
      'For clients that can send neither a header nor a cookie. It is bound to the caller and the app, ends with the login that it was made by, and is the same at each call until it is revoked.',
    access: { permission: 'getApp', orCreator: true },
    reply: Capability,
    status: 201,
  },
  deleteProjectAppCapability: {
    method: 'DELETE',
    path: `${path}/capability`,
    tag,
    summary: 'Close one’s own paths to the data of the app, at once',
    access: { permission: 'getApp', orCreator: true },
    reply: Deleted,
  },
  deleteProjectAppCapabilities: {
    method: 'DELETE',
    path: `${path}/capabilities`,
    tag,
    summary: 'Close all paths to the data of the app, at once',
    access: { permission: 'editApp', orCreator: true },
    reply: Deleted,
  },
});
