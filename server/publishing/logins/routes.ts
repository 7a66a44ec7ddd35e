import { loginCredentialEndpoints } from '@platen/contract/login-credentials';
import { routes } from '../../http/routes.ts';
import { changeLogin, createLogin, getLogin, listLogins, removeLogin } from './operations.ts';

export const loginCredentialRoutes = routes(loginCredentialEndpoints, {
  postLoginCredential: (context, { caller, body }) => createLogin(context, caller, body),
  getLoginCredentials: (context, { caller, query }) => listLogins(context, caller, query),
  getLoginCredential: (context, { caller, params }) => getLogin(context, caller, params.loginCredentialId),
  putLoginCredential: (context, { caller, params, body, ifMatch }) =>
    changeLogin(context, caller, { id: params.loginCredentialId, body, ifMatch }),
  deleteLoginCredential: (context, { caller, params, query, ifMatch }) =>
    removeLogin(context, caller, { id: params.loginCredentialId, force: query.force === true, ifMatch }),
});
