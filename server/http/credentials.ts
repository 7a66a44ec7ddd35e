import { apiPrefix } from '@platen/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type { RequestOrigin } from '../base/caller.ts';
import { Failure } from '../base/failure.ts';

/** The secret of a request: a bearer token, or the session cookie of the web interface. */
export function secretOf(request: FastifyRequest, baseUrl: string | undefined): string | undefined {
  const { authorization } = request.headers;
  if (authorization !== undefined) return /^Bearer +([\w.~+/=-]{1,512}) *$/i.exec(authorization)?.[1];
  const secret = cookieOf(request, sessionCookieName(isSecure(request, baseUrl)));
  if (secret !== undefined && !isSafe(request.method)) requireSameOrigin(request, baseUrl);
  return secret;
}

/** Browsers restrict `__Host-` cookies to https, this host and the path /. */
export function sessionCookieName(secure: boolean): string {
  return secure ? '__Host-platen-session' : 'platen-session';
}

export function isSecure(request: FastifyRequest, baseUrl: string | undefined): boolean {
  return (baseUrl ?? `${request.protocol}:`).startsWith('https:');
}

/** The cookie of a browser session; an empty secret deletes it. */
export function sessionCookie(secret: string, expires: Date, secure: boolean): string {
  return cookieWith([
    `${sessionCookieName(secure)}=${secret}`,
    'Path=/',
    `Expires=${expires.toUTCString()}`,
    'HttpOnly',
    'SameSite=Lax',
    secure ? 'Secure' : '',
  ]);
}

const deviceCookieName = (secure: boolean) => (secure ? '__Secure-platen-device' : 'platen-device');

/** The cookie of a browser in which someone has signed in; only requests to the API carry it. */
export function deviceCookie(value: string, expires: Date, secure: boolean): string {
  return cookieWith([
    `${deviceCookieName(secure)}=${value}`,
    `Path=${apiPrefix}/`,
    `Expires=${expires.toUTCString()}`,
    'HttpOnly',
    'SameSite=Strict',
    secure ? 'Secure' : '',
  ]);
}

export function deviceCookieOf(request: FastifyRequest, baseUrl: string | undefined): string | undefined {
  return cookieOf(request, deviceCookieName(isSecure(request, baseUrl)));
}

const cookieWith = (parts: readonly string[]) => parts.filter(Boolean).join('; ');

const maxUserAgentLength = 256;
/** A proxy may pass on anything as the address. */
const maxAddressLength = 64;

export function requestOriginOf(request: FastifyRequest): RequestOrigin {
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, maxUserAgentLength);
  return { address: request.ip.slice(0, maxAddressLength), userAgent };
}

/** The origin of the pages of this service. */
export function ownOriginOf(request: FastifyRequest, baseUrl: string | undefined): string {
  return baseUrl === undefined ? `${request.protocol}://${request.host}` : new URL(baseUrl).origin;
}

/** Prevents cross-site request forgery: changes with a cookie require our own `Origin`. */
export function requireSameOrigin(request: FastifyRequest, baseUrl: string | undefined): void {
  if (request.headers.origin === ownOriginOf(request, baseUrl)) return;
  throw new Failure(
    'forbidden',
    'A session can only be used from pages of this service (the Origin header differs).',
  );
}

/** Whether a page of another site, or a link on it, makes the request; the session is ignored then. */
export function isCrossSite(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] === 'cross-site' && request.headers.authorization === undefined;
}

/**
 * The same for a GET that changes something, which has no `Origin`: only a page of this service may use its session, none
 * of a neighbouring subdomain, and no link. The refusal names the operation `instead`, which other clients may use.
 */
export function requireOwnPage(request: FastifyRequest, instead: string): void {
  const { authorization, 'sec-fetch-site': site } = request.headers;
  if (authorization !== undefined || site === 'same-origin') return;
  throw new Failure(
    'forbidden',
    `A session counts for this only in pages of this service (Sec-Fetch-Site is not same-origin). Use ${instead}.`,
  );
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
