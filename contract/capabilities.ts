import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Deleted, Timestamp } from './schema.ts';

/** A path that grants one user access to the data of one app without a header or cookie. */
export const Capability = Type.Object({
  token: Type.String({
    description: 'Gives read access to the data of the app to anyone who has it; keep it private',
  }),
  path: Type.String({
    description: 'Use it in place of /data in the URL of a datasource; each use extends its lifetime',
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
    summary: 'Get a capability path to the data of the app',
    description:
      'For clients that can send neither headers nor cookies. The path is bound to the caller and the app, expires with the session that created it, and stays the same for every call until it is revoked.',
    access: { permission: 'getApp', orCreator: true },
    reply: Capability,
    status: 201,
  },
  deleteProjectAppCapability: {
    method: 'DELETE',
    path: `${path}/capability`,
    tag,
    summary: 'Revoke the caller’s own paths to the data of the app, effective immediately',
    access: { permission: 'getApp', orCreator: true },
    reply: Deleted,
  },
  deleteProjectAppCapabilities: {
    method: 'DELETE',
    path: `${path}/capabilities`,
    tag,
    summary: 'Revoke all paths to the data of the app, effective immediately',
    access: { permission: 'editApp', orCreator: true },
    reply: Deleted,
  },
});
