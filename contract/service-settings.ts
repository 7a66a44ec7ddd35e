import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { change, Name, Timestamp } from './schema.ts';

const fields = {
  name: { ...Name, description: 'Of this service, where it is shown' },
  listsPublicApps: Type.Boolean({ description: 'Whether anyone may list the apps that are public' }),
};
const serviceSet = {
  revision: Type.Integer({ minimum: 1, description: 'Counts the changes; also the ETag' }),
  updatedAt: Timestamp,
  updatedBy: Type.String({ description: 'Empty until it was changed' }),
};

/** What super users change while the service runs; the environment decides all else. */
export const ServiceSettings = Type.Object({ ...fields, ...serviceSet });
export type ServiceSettings = Static<typeof ServiceSettings>;

export const ServiceSettingsChange = change(fields, serviceSet);
export type ServiceSettingsChange = Static<typeof ServiceSettingsChange>;

/** What a client has to know before anybody signs in. */
export const ServiceInfo = Type.Object({
  ...fields,
  version: Type.String(),
  publicUrl: Type.Optional(Type.String({ description: 'Where apps have an origin of their own' })),
});
export type ServiceInfo = Static<typeof ServiceInfo>;

export const serviceEndpoints = endpoints({
  getService: {
    method: 'GET',
    path: '/service',
    tag: 'service',
    summary: 'Get what is to be known of the service before signing in',
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
    summary: 'Change the settings that are present, at once and on every replica',
    access: 'superUser',
    body: ServiceSettingsChange,
    reply: ServiceSettings,
    errors: ['precondition_failed'],
  },
});
