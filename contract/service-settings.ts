import { Type, type Static } from 'typebox';
import { BaseMaps } from './base-maps.ts';
import { endpoints } from './endpoint.ts';
import { change, Name, Timestamp } from './schema.ts';

const fields = {
  name: { ...Name, description: 'Name of this service for display' },
  listsPublicApps: Type.Boolean({ description: 'Whether anyone may list the apps that are public' }),
};
const apiOrigins = Type.Array(
  Type.String({
    maxLength: 300,
    description: 'Scheme, host and port if it is not the usual one, such as https://www.city.example',
  }),
  {
    maxItems: 50,
    description: 'Websites whose pages may call the API with a bearer token (CORS); none by default',
  },
);
const serviceSet = {
  revision: Type.Integer({ minimum: 1, description: 'Number of changes; also the ETag' }),
  updatedAt: Timestamp,
  updatedBy: Type.String({ description: 'Empty if never changed' }),
};

/** Settings that super users change at run time; all others come from the environment. */
export const ServiceSettings = Type.Object({
  ...fields,
  apiOrigins,
  baseMaps: BaseMaps,
  ...serviceSet,
});
export type ServiceSettings = Static<typeof ServiceSettings>;

export const ServiceSettingsChange = change({ ...fields, apiOrigins, baseMaps: BaseMaps }, serviceSet);
export type ServiceSettingsChange = Static<typeof ServiceSettingsChange>;

/** Public facts about the service that a client needs before signing in. */
export const ServiceInfo = Type.Object({
  ...fields,
  version: Type.String(),
  maxTokenDays: Type.Integer({
    minimum: 0,
    description: 'Longest life of an access token in days; 0: they may have no end',
  }),
  publicUrl: Type.Optional(Type.String({ description: 'The origin of apps, if they have their own' })),
});
export type ServiceInfo = Static<typeof ServiceInfo>;

export const serviceEndpoints = endpoints({
  getService: {
    method: 'GET',
    path: '/service',
    tag: 'service',
    summary: 'Get the public information about the service, without signing in',
    access: 'public',
    reply: ServiceInfo,
  },
  getAdminSettings: {
    method: 'GET',
    path: '/admin/settings',
    tag: 'admin',
    summary: 'Get the settings of the service',
    access: 'superUser',
    reply: ServiceSettings,
  },
  putAdminSettings: {
    method: 'PUT',
    path: '/admin/settings',
    tag: 'admin',
    summary: 'Change the given settings, effective immediately on every replica',
    access: 'superUser',
    body: ServiceSettingsChange,
    reply: ServiceSettings,
    errors: ['precondition_failed'],
  },
});
