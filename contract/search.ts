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

/** Something whose name was searched for. */
export const SearchHit = Type.Object({
  kind: oneOf(searchKinds),
  id: Type.String({ description: 'Of what was found; that of a file stays when it is moved' }),
  name: Type.String({ description: 'Of a file without its folder, of a user the user name' }),
  projectId: Type.Optional(Type.String()),
  projectName: Type.Optional(Type.String({ description: 'Guests of an app are not told' })),
  dataBucketId: Type.Optional(Type.String({ description: 'Of files' })),
  key: Type.Optional(Type.String({ description: 'Of files' })),
  detail: Type.Optional(
    Type.String({
      description:
        'The type of a datasource, the job type of a task, the folder of a file, the e-mail address of a user',
    }),
  ),
});
export type SearchHit = Static<typeof SearchHit>;

export const searchEndpoints = endpoints({
  getSearch: {
    method: 'GET',
    path: '/search',
    tag: 'search',
    summary: 'Find by name what the caller may see',
    description:
      'First what starts with the text, then what has a word that does, then what contains it; whatever the case. A text with a / is looked for in the paths of files. Users are found by admins.',
    access: 'user',
    query: strict({
      text: Type.String({ minLength: 1, maxLength: 200 }),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
      projectId: Type.Optional(Id),
    }),
    reply: Type.Object({ items: Type.Array(SearchHit) }),
  },
});
