import { credentialEndpoints } from '@platen/contract/credentials';
import { routes } from '../../http/routes.ts';
import {
  changeCredential,
  createCredential,
  getCredential,
  listCredentials,
  removeCredential,
} from './operations.ts';

export const credentialRoutes = routes(credentialEndpoints, {
  postProjectCredential: (context, { caller, params, body }) =>
    createCredential(context, caller, { ...params, body }),
  getProjectCredentials: (context, { params, query }) => listCredentials(context, params.projectId, query),
  getProjectCredential: (context, { params }) => getCredential(context, params),
  putProjectCredential: (context, { caller, params, body, ifMatch }) =>
    changeCredential(context, caller, { ...params, body, ifMatch }),
  deleteProjectCredential: (context, { caller, params, query }) =>
    removeCredential(context, caller, { ...params, force: query.force === true }),
});
