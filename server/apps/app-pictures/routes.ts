import { appPageEndpoints, appPictureUploadEndpoints, pictureTypes } from '@platen/contract/app-page';
import { describeEmbed } from '../embed.ts';
import { bytesOf, withByteBodies } from '../../http/byte-bodies.ts';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts';
import { publicOrigin } from '../../http/public-origin.ts';
import { routes } from '../../http/routes.ts';
import { sendFile } from '../../files/objects/download.ts';
import { getPicture, removePicture, setPicture } from './operations.ts';

export const appPageRoutes = routes(appPageEndpoints, {
  getProjectAppEmbed: (context, { params, http: { request } }) =>
    describeEmbed(context, params, publicOrigin(context.settings, request)),
  getProjectAppPicture: async (context, { params, http }) =>
    sendFile(context, await getPicture(context, params), http),
  deleteProjectAppPicture: (context, { params }) => removePicture(context, params),
});

export const appPictureRoutes = withByteBodies(
  routes(appPictureUploadEndpoints, {
    putProjectAppPicture: (context, { caller, params, http: { request, reply } }) =>
      setPicture(context, caller, {
        ...params,
        ...bytesOf(request, context),
        signal: abortOnDisconnect(reply),
      }),
  }),
  ['application/octet-stream', ...pictureTypes],
);
