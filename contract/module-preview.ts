import { Type, type Static } from 'typebox';
import { ChosenBaseMaps } from './base-maps.ts';
import { endpoints } from './endpoint.ts';
import { FreeForm, Id, strict } from './schema.ts';

/** A module to preview: a stored one, or the state of an editor. */
export const PreviewedModule = strict({
  moduleId: Type.Optional({
    ...Id,
    description:
      'A module of the project; alone: the stored module; with `module`: the module it will become',
  }),
  module: Type.Optional({
    ...FreeForm,
    description: 'A map configuration as sent to create a module; nothing is stored',
  }),
});
export type PreviewedModule = Static<typeof PreviewedModule>;

export const ModulePreviewRequest = strict({
  modules: Type.Array(PreviewedModule, { minItems: 1, maxItems: 1000, description: 'In order' }),
  mapVersion: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Semver range of the map viewer; default: the newest installed version',
    }),
  ),
  baseMaps: Type.Optional({
    ...ChosenBaseMaps,
    description:
      'Ids of the base maps below, the one at the start first; default: those that a new app has. Those that are gone are left out',
  }),
  isApp: Type.Optional(
    Type.Boolean({
      description:
        'Whether these are all modules of an app. If so, names that none of them defines are reported as missing; otherwise other modules may define them, and default maps are added if none of them has maps',
    }),
  ),
});
export type ModulePreviewRequest = Static<typeof ModulePreviewRequest>;

/** A problem of a previewed module and its position. */
export const PreviewFinding = Type.Object({
  index: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Index of the module in the request; absent: concerns all modules',
    }),
  ),
  moduleId: Type.Optional(Type.String()),
  pointer: Type.String({ description: 'JSON pointer into that module; empty: the whole module' }),
  code: Type.String(),
  detail: Type.String(),
});
export type PreviewFinding = Static<typeof PreviewFinding>;

export const ModulePreview = Type.Object({
  engineVersion: Type.Optional(
    Type.String({
      description:
        'Installed version of the map viewer that shows it; absent if none in the range is installed',
    }),
  ),
  modules: Type.Array(FreeForm, {
    description:
      'Modules for the map viewer, in order, each with an `_id`: the world base layer, then the modules with their data URLs. Items with errors are omitted',
  }),
  errors: Type.Array(PreviewFinding, { description: 'Errors that prevent storing or showing it' }),
  warnings: Type.Array(PreviewFinding),
  hosts: Type.Array(Type.String(), {
    description: 'Foreign origins to allow for the map page: /app-preview/?host=…',
  }),
});
export type ModulePreview = Static<typeof ModulePreview>;

export const modulePreviewEndpoints = endpoints({
  postProjectModulePreview: {
    method: 'POST',
    path: '/project/:projectId/module-preview',
    tag: 'modules',
    summary: 'Get stored or unsaved modules in the form used by the map viewer',
    description:
      'For an editor with a live map. Nothing is stored, and errors in the modules are part of the response. Saved modules of others require getModule. The data URLs can be read with the session or token of the caller; /app-preview/ is the page that shows the map.',
    access: { permission: 'getDatasource' },
    body: ModulePreviewRequest,
    bodyLimit: 'mapConfiguration',
    reply: ModulePreview,
  },
});
