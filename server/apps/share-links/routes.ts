import { shareLinkEndpoints } from '@platen/contract/share-links';
import { HttpReply } from '../../http/reply.ts';
import { routes } from '../../http/routes.ts';
import {
  changeShareLink,
  createShareLink,
  getShareLink,
  listShareLinks,
  removeShareLink,
} from './operations.ts';

export const shareLinkRoutes = routes(shareLinkEndpoints, {
  postProjectAppShareLink: async (context, { caller, params, body }) =>
    new HttpReply(await createShareLink(context, caller, { ...params, body }), {
      'cache-control': 'no-store',
    }),
  getProjectAppShareLinks: (context, { params, query }) => listShareLinks(context, params, query),
  getProjectAppShareLink: (context, { params }) => getShareLink(context, params),
  putProjectAppShareLink: (context, { caller, params, body, ifMatch }) =>
    changeShareLink(context, caller, { ...params, body, ifMatch }),
  deleteProjectAppShareLink: (context, { caller, params }) => removeShareLink(context, caller, params),
});
