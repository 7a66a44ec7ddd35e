import { Type, type Static } from 'typebox';
import { endpoints } from './endpoint.ts';
import { Deleted, Timestamp } from './schema.ts';

export const longestPictureBytes = 2 * 1024 * 1024;
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** What a link to an app is shown with where it is shared. */
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
  url: Type.String({ description: 'Absolute address of the map' }),
  html: Type.String({ description: 'An iframe, ready to be put into a page' }),
  frameOrigins: Type.Array(Type.String(), { description: 'Whose pages may show it, besides this service' }),
  isPublic: Type.Boolean({ description: 'Where it is not, the frame stays empty for strangers' }),
  hasPicture: Type.Boolean({
    description:
      'Whether a picture was uploaded for it; links are shown with one that the service draws otherwise',
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
    summary: 'Get what a page needs to show the app in a frame',
    access: { permission: 'getApp', orCreator: true },
    reply: AppEmbed,
  },
  getProjectAppPicture: {
    method: 'GET',
    path: `${path}/picture`,
    tag,
    summary: 'Download the picture that was uploaded for the app',
    description:
      'What links are shown with is at /app/{appId}/preview.png: this picture, or else one that the service draws.',
    access: { permission: 'getApp', orCreator: true },
    download: true,
    errors: ['range_not_satisfiable'],
  },
  deleteProjectAppPicture: {
    method: 'DELETE',
    path: `${path}/picture`,
    tag,
    summary: 'Remove the picture of the app; the service draws one again',
    access: { permission: 'editApp', orCreator: true },
    reply: Deleted,
  },
});

/** Apart from the others because only here plain bytes are understood. */
export const appPictureUploadEndpoints = endpoints({
  putProjectAppPicture: {
    method: 'PUT',
    path: `${path}/picture`,
    tag,
    summary: 'Set the picture that links to the app are shown with',
    description:
      'A PNG, JPEG or WebP of at most 2 MiB and 4096 pixels a side; 1200 × 630 suits most places. Its content says what it is, not the header.',
    access: { permission: 'editApp', orCreator: true },
    bodyKind: 'bytes',
    reply: AppPicture,
    errors: ['too_large', 'unprocessable', 'storage_full'],
  },
});
