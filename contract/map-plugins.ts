import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Deleted, filter, listQuery, page, strict, Timestamp } from './schema.ts';

/** Maximum size of a plugin archive. */
export const maxPluginArchiveBytes = 32 * 1024 * 1024;
export const maxPluginBytes = 64 * 1024 * 1024;
export const maxPluginFiles = 2000;

/** Names of npm packages, in lower case. */
export const pluginNamePattern = '^(?:@[a-z\\d~-][a-z\\d._~-]*/)?[a-z\\d~-][a-z\\d._~-]*$';
export const maxPluginNameLength = 214;

const PluginName = Type.String({
  pattern: pluginNamePattern,
  maxLength: maxPluginNameLength,
  description: 'Name of the npm package, such as @vcmap/print',
});

const PluginVersion = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'A semver version, such as 4.0.3',
});

const fields = {
  version: PluginVersion,
  description: Type.String(),
  mapVersion: Type.String({ description: 'Semver range of the supported versions of the map viewer' }),
  engines: Type.Array(Type.String(), { description: 'Installed versions in this range, newest first' }),
  size: Type.Integer({ description: 'Total size of its files in bytes' }),
  numberOfFiles: Type.Integer(),
  sha256: Type.String({ description: 'Checksum of the names and contents of its files' }),
  hasReadme: Type.Boolean({ description: 'Whether its archive has a README.md' }),
  hasChangelog: Type.Boolean({ description: 'Whether its archive has a CHANGELOG.md' }),
  license: Type.Optional(Type.String({ description: 'As in its package.json' })),
  createdAt: Timestamp,
  createdBy: Type.String(),
};

/** An immutable version of a map viewer plugin. */
export const MapPluginVersion = Type.Object(fields);
export type MapPluginVersion = Static<typeof MapPluginVersion>;

/** A plugin that modules can name in `plugins`. */
export const MapPlugin = Type.Object({
  name: PluginName,
  versions: Type.Array(MapPluginVersion, { description: 'Newest first' }),
});
export type MapPlugin = Static<typeof MapPlugin>;

/** The result of an upload. */
export const UploadedMapPlugin = Type.Object({
  name: PluginName,
  ...fields,
  leftOut: Type.Array(Type.String(), {
    description: 'Files in dist/ and plugin-assets/ of a type that is not served; the first 100',
  }),
});
export type UploadedMapPlugin = Static<typeof UploadedMapPlugin>;

const range = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }));
const versionFilters = {
  mapVersion: range(
    'Only versions that run on a map viewer in this semver range, of 10 alternatives at most',
  ),
  version: range('Only versions in this semver range, of 10 alternatives at most'),
};

export const MapPluginListQuery = listQuery(['name', 'createdAt'], {
  name: filter.text(),
  ...versionFilters,
});
export type MapPluginListQuery = Static<typeof MapPluginListQuery>;

const tag = 'plugins';

export const mapPluginEndpoints = endpoints({
  getMapPlugins: {
    method: 'GET',
    path: '/map-plugins',
    tag,
    summary: 'List the plugins of the map viewer with their versions, by name',
    access: 'user',
    accessTokens: 'any',
    query: MapPluginListQuery,
    reply: page(MapPlugin),
  },
  getMapPlugin: {
    method: 'GET',
    path: '/map-plugin',
    tag,
    summary: 'Get a plugin of the map viewer',
    access: 'user',
    accessTokens: 'any',
    query: strict({ name: PluginName, ...versionFilters }),
    reply: MapPlugin,
  },
  deleteMapPlugin: {
    method: 'DELETE',
    path: '/map-plugin',
    tag,
    summary: 'Delete one version of a plugin, or all versions if none is given',
    description:
      'A plugin used by an app or a release is deleted only with `force`; these are then shown without it immediately. A deleted version can be uploaded again, but not with different content.',
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

const errors = ['conflict', 'too_large', 'unprocessable', 'unsupported_media_type', 'storage_full'] as const;

/** A separate table, since only this scope of the server parses form data and plain bytes. */
export const mapPluginUploadEndpoints = endpoints({
  postMapPlugin: {
    method: 'POST',
    path: '/map-plugin',
    tag,
    summary: 'Upload a version of a plugin: the archive created by npm pack',
    description:
      'As form data or as raw bytes (application/octet-stream or application/gzip). At most 32 MiB, unpacked 64 MiB and 2,000 files. `package.json` must contain the name, the version and, as mapVersion, the supported versions of the map viewer. The contents of dist/, which must include index.js, and of plugin-assets/ are served. Existing versions cannot be replaced: 409.',
    access: 'superUser',
    bodyKind: 'multipart',
    reply: UploadedMapPlugin,
    status: 201,
    errors,
  },
  postMapPluginUpload: {
    method: 'POST',
    path: '/map-plugin/upload',
    tag,
    summary: 'Upload a version of a plugin, as POST /map-plugin does, without a reply',
    access: 'superUser',
    bodyKind: 'multipart',
    errors,
  },
  postMapPluginUploadBundle: {
    method: 'POST',
    path: '/map-plugin/upload-bundle',
    tag,
    summary: 'Upload versions of several plugins',
    description:
      'Each file of the form is an archive created by npm pack, or a tar.gz of such archives. Versions that exist with the same content are left as they are. The first problem ends the request; versions before it stay.',
    access: 'superUser',
    bodyKind: 'multipart',
    errors,
  },
});
