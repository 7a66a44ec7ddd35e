import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Deleted, Timestamp } from './schema.ts';

export const maxPictureBytes = 2 * 1024 * 1024;
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** The picture in previews of links to an app. */
export const AppPicture = Type.Object({
  contentType: Type.Enum([...pictureTypes]),
  size: Type.Integer({ description: 'In bytes' }),
  width: Type.Integer(),
  height: Type.Integer(),
  sha256: Type.String(),
  createdAt: Timestamp,
  createdBy: Type.String(),
});
export type AppPicture = Static<typeof AppPicture>;

export const AppEmbed = Type.Object({
  url: Type.String({ description: 'Absolute URL of the map' }),
  html: Type.String({ description: 'HTML snippet with an iframe that embeds the map' }),
  frameOrigins: Type.Array(Type.String(), {
    description: 'Origins whose pages may embed it, in addition to this service',
  }),
  isPublic: Type.Boolean({
    description: 'Visitors who are not signed in see an empty frame unless the app is public',
  }),
  hasPicture: Type.Boolean({
    description: 'Whether a preview image was uploaded; otherwise the service draws one',
  }),
});
export type AppEmbed = Static<typeof AppEmbed>;

const path = '/project/:projectId/app/:appId';
const tag = 'apps';

export const appPageEndpoints = endpoints({
  getProjectAppEmbed: {
    method: 'GET',
    path: `${path}/embed`,
    tag,
    summary: 'Get the embed snippet and settings of the app',
    access: { permission: 'getApp', orCreator: true },
    reply: AppEmbed,
  },
  getProjectAppPicture: {
    method: 'GET',
    path: `${path}/picture`,
    tag,
    summary: 'Download the uploaded preview image of the app',
    description:
      'The preview image of links is /app/{appId}/preview.png: the uploaded image or, without one, the map painted by the service.',
    access: { permission: 'getApp', orCreator: true },
    download: true,
    errors: ['range_not_satisfiable'],
  },
  deleteProjectAppPicture: {
    method: 'DELETE',
    path: `${path}/picture`,
    tag,
    summary: 'Remove the uploaded preview image; the service draws one instead',
    access: { permission: 'editApp', orCreator: true },
    reply: Deleted,
  },
});

/** A separate table, since only this scope of the server parses plain bytes. */
export const appPictureUploadEndpoints = endpoints({
  putProjectAppPicture: {
    method: 'PUT',
    path: `${path}/picture`,
    tag,
    summary: 'Upload the preview image of links to the app',
    description:
      'A PNG, JPEG or WebP of at most 2 MiB and 4096 pixels a side; 1200 × 630 is recommended. The format is detected from the content, not from the header.',
    access: { permission: 'editApp', orCreator: true },
    bodyKind: 'bytes',
    reply: AppPicture,
    errors: ['too_large', 'unprocessable', 'storage_full'],
  },
});
