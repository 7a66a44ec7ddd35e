import { loginEndpoints } from '@platen/contract/login';
import type { FastifyRequest } from 'fastify';
import {
  deviceCookie,
  deviceCookieOf,
  isSecure,
  requestOriginOf,
  requireOwnPage,
  requireSameOrigin,
  sessionCookie,
} from '../../http/credentials.ts';
import { HttpReply } from '../../http/reply.ts';
import { routes } from '../../http/routes.ts';
import { logIn, logOut, logOutEverywhere, sessionOf, startSession } from './operations.ts';
import { endOtherSessions, endSession, listSessions } from './sessions.ts';
import type { LoginClient } from './sign-in.ts';

export const loginRoutes = routes(loginEndpoints, {
  postLogin: async (context, { body, http: { request } }) => {
    const result = await logIn(context, body, clientOf(request, context.settings.baseUrl));
    return new HttpReply(result, { 'cache-control': 'no-store' });
  },
  getLogout: async (context, { caller, http: { request } }) => {
    requireOwnPage(request, 'DELETE /session');
    await logOut(context, caller);
    return {};
  },
  getLogoutAll: async (context, { caller, http: { request } }) => {
    requireOwnPage(request, 'DELETE /session');
    await logOutEverywhere(context, caller);
    return {};
  },
  postSession: async (context, { body, http: { request } }) => {
    const { baseUrl } = context.settings;
    if (request.headers.origin !== undefined) requireSameOrigin(request, baseUrl);
    const { session, secret, ends, device } = await startSession(context, body, clientOf(request, baseUrl));
    const secure = isSecure(request, baseUrl);
    const cookies = [sessionCookie(secret, ends, secure), deviceCookie(device.value, device.expires, secure)];
    return new HttpReply(session, { 'set-cookie': cookies, 'cache-control': 'no-store' });
  },
  getSession: async (_, { caller }) => sessionOf(caller),
  deleteSession: async (context, { caller, http: { request } }) => {
    await logOut(context, caller);
    const ended = sessionCookie('', new Date(0), isSecure(request, context.settings.baseUrl));
    return new HttpReply(undefined, { 'set-cookie': ended, 'cache-control': 'no-store' });
  },
  getUserSessions: (context, { caller, query }) => listSessions(context, caller, query),
  deleteUserSession: (context, { caller, params }) => endSession(context, caller, params.sessionId),
  deleteUserSessions: (context, { caller }) => endOtherSessions(context, caller),
});

function clientOf(request: FastifyRequest, baseUrl: string | undefined): LoginClient {
  return { ...requestOriginOf(request), deviceCookie: deviceCookieOf(request, baseUrl) };
}
