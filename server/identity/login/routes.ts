import { loginEndpoints } from '@platen/contract/login';
import type { FastifyRequest } from 'fastify';
import { isSecure, requireSameOrigin, sessionCookie } from '../../http/credentials.ts';
import { HttpReply } from '../../http/reply.ts';
import { routes } from '../../http/routes.ts';
import { logIn, logOut, logOutEverywhere, sessionOf, startSession } from './operations.ts';

export const loginRoutes = routes(loginEndpoints, {
  postLogin: async (context, { body, http }) => {
    const result = await logIn(context, body, http.request.ip);
    return new HttpReply(result, { 'cache-control': 'no-store' });
  },
  getLogout: async (context, { caller }) => {
    await logOut(context, caller);
    return {};
  },
  getLogoutAll: async (context, { caller }) => {
    await logOutEverywhere(context, caller);
    return {};
  },
  postSession: async (context, { body, http: { request } }) => {
    if (request.headers.origin !== undefined) requireSameOrigin(request, context.settings.baseUrl);
    const { session, secret, expires } = await startSession(context, body, request.ip);
    return new HttpReply(session, cookie(request, context.settings.baseUrl, secret, expires));
  },
  getSession: async (_, { caller }) => sessionOf(caller),
  deleteSession: async (context, { caller, http: { request } }) => {
    await logOut(context, caller);
    return new HttpReply(undefined, cookie(request, context.settings.baseUrl, '', new Date(0)));
  },
});

function cookie(request: FastifyRequest, baseUrl: string | undefined, secret: string, expires: Date) {
  return {
    'set-cookie': sessionCookie(secret, expires, isSecure(request, baseUrl)),
    'cache-control': 'no-store',
  };
}
