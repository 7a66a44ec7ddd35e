import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { FreeForm, Id, strict } from './schema.ts';

/** One of the modules to be shown: as it is stored, or as it is in an editor. */
export const PreviewedModule = strict({
  moduleId: Type.Optional({
    ...Id,
    description: 'A module of the project; alone: what is stored, with `module`: which one that will be',
  }),
  module: Type.Optional({
    ...FreeForm,
    description: 'A map configuration, as it would be sent to create a module; nothing of it is stored',
  }),
});
export type PreviewedModule = Static<typeof PreviewedModule>;

export const ModulePreviewRequest = strict({
  modules: Type.Array(PreviewedModule, { minItems: 1, maxItems: 1000, description: 'In their order' }),
  mapVersion: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Semver range of the map viewer; the newest that is installed when absent',
    }),
  ),
  isApp: Type.Optional(
    Type.Boolean({
      description:
        'They are all the modules of an app: what none of them brings is missing. Otherwise others may bring it, and where none has maps there are some to see it on',
    }),
  ),
});
export type ModulePreviewRequest = Static<typeof ModulePreviewRequest>;

/** Something that is wrong or odd, and where. */
export const PreviewFinding = Type.Object({
  index: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Of the module in the request; absent: all together' }),
  ),
  moduleId: Type.Optional(Type.String()),
  pointer: Type.String({ description: 'JSON pointer into that module; empty: the whole of it' }),
  code: Type.String(),
  detail: Type.String(),
});
export type PreviewFinding = Static<typeof PreviewFinding>;

export const ModulePreview = Type.Object({
  engineVersion: Type.Optional(
    Type.String({
      description: 'Which installed map viewer shows it; absent: none in that range is installed',
    }),
  ),
  modules: Type.Array(FreeForm, {
    description:
      'For the map viewer, in order, each with an `_id`: the world base layer, and the modules with the addresses of their data. What an error names is left out',
  }),
  errors: Type.Array(PreviewFinding, { description: 'For which it could not be stored, or not be shown' }),
  warnings: Type.Array(PreviewFinding),
  hosts: Type.Array(Type.String(), {
    description: 'Foreign origins that the page with the map has to be allowed: /app-preview/?host=…',
  }),
});
export type ModulePreview = Static<typeof ModulePreview>;

export const modulePreviewEndpoints = endpoints({
  postProjectModulePreview: {
    method: 'POST',
    path: '/project/:projectId/module-preview',
    tag: 'modules',
    summary: 'Get modules, stored or not, as the map viewer is to get them',
    description:
      'For an editor with a map beside it: nothing is stored, and whatever is wrong with the modules is part of the answer. Saved modules of others need getModule. The data is at addresses that the session, or the token, of the caller opens; /app-preview/ is the page to show it.',
    access: { permission: 'getDatasource' },
    body: ModulePreviewRequest,
    reply: ModulePreview,
  },
});
