import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { listQuery, oneOf, page, someOf, stamps, Timestamp } from './schema.ts';

const addonTypes = ['pointcloud', 'oblique', 'solar'] as const;

/** A licence of an optional part of other platforms. This service needs none, so that there never is one. */
export const Addon = Type.Object({
  ...stamps,
  type: oneOf(addonTypes),
  validity: Type.Optional(Timestamp),
  licenseKey: Type.Optional(Type.String()),
  offlineLicense: Type.Optional(Type.String()),
});
export type Addon = Static<typeof Addon>;

export const AddonListQuery = listQuery(['createdAt', 'type'], {
  type: someOf(oneOf(addonTypes), addonTypes.length),
});
export type AddonListQuery = Static<typeof AddonListQuery>;

const description = 'Always empty: all job types are available without a licence.';

export const addonEndpoints = endpoints({
  getProjectAddons: {
    method: 'GET',
    path: '/project/:projectId/addons',
    tag: 'projects',
    summary: 'List the licences of a project',
    description,
    access: { permission: 'getProject' },
    query: AddonListQuery,
    reply: page(Addon),
  },
  getAdminAddons: {
    method: 'GET',
    path: '/admin/addons',
    tag: 'admin',
    summary: 'List the licences of the service',
    description,
    access: 'admin',
    query: AddonListQuery,
    reply: page(Addon),
  },
});
