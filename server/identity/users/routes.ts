import { userEndpoints } from '@platen/contract/users';
import { requestOriginOf } from '../../http/credentials.ts';
import { HttpReply } from '../../http/reply.ts';
import { routes } from '../../http/routes.ts';
import { changePassword } from './change-password.ts';
import { createPasswordReset, resetPassword } from './password-reset.ts';
import {
  changeUser,
  createUser,
  getCaller,
  getUser,
  listUserProfiles,
  listUsers,
  removeUser,
  setActive,
} from './operations.ts';

export const userRoutes = routes(userEndpoints, {
  getUserProfiles: (context, { query }) => listUserProfiles(context, query),
  getUsers: (context, { caller, query }) => listUsers(context, caller, query),
  postUser: (context, { caller, body }) => createUser(context, caller, body),
  getUserWhoami: (context, { caller }) => getCaller(context, caller),
  getUser: (context, { params }) => getUser(context, params.userId),
  putUser: (context, { caller, params, body, ifMatch }) =>
    changeUser(context, caller, { userId: params.userId, body, ifMatch }),
  deleteUser: (context, { caller, params }) => removeUser(context, caller, params.userId),
  putUserPassword: (context, { caller, params, body }) =>
    changePassword(context, caller, { userId: params.userId, body }),
  postUserPasswordReset: async (context, { caller, params }) =>
    new HttpReply(await createPasswordReset(context, caller, params.userId), { 'cache-control': 'no-store' }),
  postPasswordReset: (context, { body, http }) => resetPassword(context, body, requestOriginOf(http.request)),
  putUserActive: (context, { caller, params, body }) =>
    setActive(context, caller, { userId: params.userId, isActive: body.isActive }),
});
