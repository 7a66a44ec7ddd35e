import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Id, oneOf, strict } from './schema.ts';

export const searchKinds = [
  'project',
  'app',
  'module',
  'datasource',
  'task',
  'dataBucket',
  'file',
  'user',
] as const;
export type SearchKind = (typeof searchKinds)[number];

/** A resource whose name matches the search. */
export const SearchHit = Type.Object({
  kind: oneOf(searchKinds),
  id: Type.String({ description: 'ID of the result; the ID of a file does not change when it is moved' }),
  name: Type.String({ description: 'For a file without its folder; for a user the user name' }),
  projectId: Type.Optional(Type.String()),
  projectName: Type.Optional(Type.String({ description: 'Omitted for guests of an app' })),
  dataBucketId: Type.Optional(Type.String({ description: 'Files only' })),
  key: Type.Optional(Type.String({ description: 'Files only' })),
  detail: Type.Optional(
    Type.String({
      description: 'Type of a datasource, job type of a task, folder of a file, email address of a user',
    }),
  ),
});
export type SearchHit = Static<typeof SearchHit>;

export const searchEndpoints = endpoints({
  getSearch: {
    method: 'GET',
    path: '/search',
    tag: 'search',
    summary: 'Search by name everything the caller may see',
    description:
      'Case-insensitive. Names that start with the text come first, then names with a word that does, then names that contain it. A text with a / is searched in file paths. Only administrators find users.',
    access: 'user',
    accessTokens: 'unlimited',
    query: strict({
      text: Type.String({ minLength: 1, maxLength: 200 }),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
      projectId: Type.Optional(Id),
    }),
    reply: Type.Object({ items: Type.Array(SearchHit) }),
  },
});
