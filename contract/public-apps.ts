import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { filter, page, strict } from './schema.ts';

/** The public view of an app, taken from its visible release if there is one. */
export const PublicApp = Type.Object({
  name: Type.String(),
  description: Type.String(),
  slug: Type.Optional(Type.String()),
  url: Type.String({ description: 'URL of the map; a path unless apps have their own origin' }),
  picture: Type.String({ description: 'URL of the preview image of links: uploaded or drawn' }),
});
export type PublicApp = Static<typeof PublicApp>;

export const PublicAppListQuery = strict({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  page: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
  name: filter.text(),
});
export type PublicAppListQuery = Static<typeof PublicAppListQuery>;

export const publicAppEndpoints = endpoints({
  getPublicApps: {
    method: 'GET',
    path: '/public-apps',
    tag: 'apps',
    summary: 'List the public apps, by name',
    description: 'Returns 404 if the setting `listsPublicApps` is off.',
    access: 'public',
    query: PublicAppListQuery,
    reply: page(PublicApp),
    errors: ['not_found'],
  },
});
