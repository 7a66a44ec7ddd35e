import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Deleted, strict, Timestamp } from './schema.ts';

/** What an archive of a plugin may have. */
export const longestPluginArchiveBytes = 32 * 1024 * 1024;
export const longestPluginBytes = 64 * 1024 * 1024;
export const mostPluginFiles = 2000;

/** Of npm packages, in lower case. */
export const pluginNamePattern = '^(?:@[a-z\\d~-][a-z\\d._~-]*/)?[a-z\\d~-][a-z\\d._~-]*$';
export const longestPluginName = 214;

const PluginName = Type.String({
  pattern: pluginNamePattern,
  maxLength: longestPluginName,
  description: 'Name of its npm package, such as @vcmap/print',
});

const PluginVersion = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'A semver version, such as 4.0.3',
});

const fields = {
  version: PluginVersion,
  description: Type.String(),
  mapVersion: Type.String({ description: 'Semver range of the versions of the map viewer that it runs on' }),
  engines: Type.Array(Type.String(), { description: 'The installed ones of those, the newest first' }),
  size: Type.Integer({ description: 'Of all its files together, in bytes' }),
  numberOfFiles: Type.Integer(),
  sha256: Type.String({ description: 'Of the names and contents of its files' }),
  createdAt: Timestamp,
  createdBy: Type.String(),
};

/** A version of a plugin of the map viewer. What it holds never changes. */
export const MapPluginVersion = Type.Object(fields);
export type MapPluginVersion = Static<typeof MapPluginVersion>;

/** A plugin that modules may name in their `plugins`. */
export const MapPlugin = Type.Object({
  name: PluginName,
  versions: Type.Array(MapPluginVersion, { description: 'The newest first' }),
});
export type MapPlugin = Static<typeof MapPlugin>;

/** What became of an upload. */
export const UploadedMapPlugin = Type.Object({
  name: PluginName,
  ...fields,
  leftOut: Type.Array(Type.String(), {
    description: 'Files of dist/ and plugin-assets/ that are of no kind that is served; the first 100',
  }),
});
export type UploadedMapPlugin = Static<typeof UploadedMapPlugin>;

const tag = 'plugins';

export const mapPluginEndpoints = endpoints({
  getMapPlugins: {
    method: 'GET',
    path: '/map-plugins',
    tag,
    summary: 'List the plugins of the map viewer, by name, with their versions',
    access: 'user',
    reply: Type.Object({ items: Type.Array(MapPlugin) }),
  },
  getMapPlugin: {
    method: 'GET',
    path: '/map-plugin',
    tag,
    summary: 'Get a plugin of the map viewer',
    access: 'user',
    query: strict({ name: PluginName }),
    reply: MapPlugin,
  },
  deleteMapPlugin: {
    method: 'DELETE',
    path: '/map-plugin',
    tag,
    summary: 'Delete a version of a plugin, or without one all of them',
    description:
      'One that an app or a release uses goes only with `force`; apps are then shown without it, at once. What was deleted can be uploaded again, but not with other content under the same version.',
    access: 'superUser',
    query: strict({
      name: PluginName,
      version: Type.Optional(PluginVersion),
      force: Type.Optional(Type.Boolean()),
    }),
    reply: Deleted,
    errors: ['conflict'],
  },
});

/** Apart from the others because only here form data and plain bytes are understood. */
export const mapPluginUploadEndpoints = endpoints({
  postMapPluginUpload: {
    method: 'POST',
    path: '/map-plugin/upload',
    tag,
    summary: 'Add a version of a plugin: the archive that npm pack makes',
    description:
      'As the file of a form, or as plain bytes (application/octet-stream or application/gzip). At most 32 MiB, unpacked 64 MiB, 2,000 files. `package.json` must name the plugin, its version and, as mapVersion, the versions of the map viewer that it runs on; served are the contents of dist/, with an index.js, and plugin-assets/. A version that is there already stays as it is: 409.',
    access: 'superUser',
    bodyKind: 'multipart',
    reply: UploadedMapPlugin,
    status: 201,
    errors: ['conflict', 'too_large', 'unprocessable', 'unsupported_media_type', 'storage_full'],
  },
});
