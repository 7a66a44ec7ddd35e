import type { FastifyRequest } from 'fastify';
import { Failure } from '../base/failure.ts';

/** The secret that a request carries: a bearer token, or the cookie of the web interface's session. */
export function secretOf(request: FastifyRequest, baseUrl: string | undefined): string | undefined {
  const { authorization } = request.headers;
  if (authorization !== undefined) return /^Bearer +([\w.~+/=-]{1,512}) *$/i.exec(authorization)?.[1];
  const secret = cookieOf(request, sessionCookieName(isSecure(request, baseUrl)));
  if (secret !== undefined && !isSafe(request.method)) requireSameOrigin(request, baseUrl);
  return secret;
}

/** Browsers keep `__Host-` cookies to https, this host and the whole path. */
export function sessionCookieName(secure: boolean): string {
  return secure ? '__Host-platen-session' : 'platen-session';
}

export function isSecure(request: FastifyRequest, baseUrl: string | undefined): boolean {
  return (baseUrl ?? `${request.protocol}:`).startsWith('https:');
}

/** The cookie that signs a browser in; an empty secret signs it out. */
export function sessionCookie(secret: string, expires: Date, secure: boolean): string {
  return [
    `${sessionCookieName(secure)}=${secret}`,
    'Path=/',
    `Expires=${expires.toUTCString()}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}

/** Against forged requests from other sites: a cookie counts for a change only with our own `Origin`. */
export function requireSameOrigin(request: FastifyRequest, baseUrl: string | undefined): void {
  const own = baseUrl === undefined ? `${request.protocol}://${request.host}` : new URL(baseUrl).origin;
  if (request.headers.origin === own) return;
  throw new Failure(
    'forbidden',
    'A session can only be used from pages of this service (the Origin header differs).',
  );
}

/** Another site's page, or a link on it, makes the request: a session must not sign anyone out by that, or tell of them. */
export function isFromAnotherSite(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] === 'cross-site' && request.headers.authorization === undefined;
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

function cookieOf(request: FastifyRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value) return value;
  }
  return undefined;
}
