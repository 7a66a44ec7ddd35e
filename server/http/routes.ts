import {
  apiPrefix,
  bodyBytes,
  maxBodyBytes,
  successStatus,
  type Endpoint,
  type Endpoints,
  type ReplyOf,
  type RequestOf,
} from '@platen/contract/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../base/context.ts';
import { inTransaction } from '../base/database/transaction.ts';
import { changedMeanwhile, Failure } from '../base/failure.ts';
import type { Caller, Credential } from '../base/caller.ts';
import { isObject } from '../base/is-object.ts';
import { hashSecret } from '../base/secrets/bearer-secrets.ts';
import { checkValue } from '../base/body-guard.ts';
import { jobReportBounds, requestBounds, type JsonBounds } from '../base/json-bounds.ts';
import { isCrossSite, requestOriginOf, secretOf } from './credentials.ts';
import { runOnce } from './idempotency.ts';
import { requireRevision, revisionedResourceOf } from './if-match.ts';
import { withoutIdleTimeout } from './without-idle-timeout.ts';
import { recordExport } from './record-export.ts';
import { locationOf } from './location.ts';
import { HttpReply } from './reply.ts';
import { stringifyLists } from './stringify-lists.ts';
import { checkBody, checkQuery, type Check } from '../base/validation.ts';

/** The validated request and its caller, as operations receive it. */
export interface Call<E extends Endpoint> extends RequestOf<E> {
  readonly caller: Caller;
  /** The revision in If-Match. */
  readonly ifMatch: number | undefined;
  /** For uploads, downloads, streams and cookies. */
  readonly http: { readonly request: FastifyRequest; readonly reply: FastifyReply };
}

type Answer<E extends Endpoint> = ReplyOf<E> | HttpReply<ReplyOf<E>>;

/** Every endpoint of the table needs a handler, and the handler's types come from the contract. */
export type Handlers<T extends Endpoints> = {
  readonly [Name in keyof T]: (
    context: Context,
    call: Call<T[Name]>,
  ) => Promise<T[Name]['download'] extends true ? unknown : Answer<T[Name]>>;
};

type AnyHandler = (context: Context, call: Call<Endpoint>) => Promise<unknown>;

/** Identifies the caller of a request and checks permissions, before the body is read. @throws Failure */
export type Authorise = (
  context: Context,
  endpoint: Pick<Endpoint, 'method' | 'path' | 'access' | 'accessTokens'>,
  params: Readonly<Record<string, string>>,
  credential: Credential,
) => Promise<Caller>;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    jsonBounds?: JsonBounds;
  }
  interface FastifyInstance {
    /** Set by createApp, as users and runners belong to areas above this one. */
    authorise: Authorise;
  }
}

/** Binds a table of endpoints to the operations that fulfil them. */
export function routes<T extends Endpoints>(table: T, handlers: Handlers<T>) {
  return (app: FastifyInstance, context: Context): void => {
    for (const [name, endpoint] of Object.entries<Endpoint>(table)) {
      bind(app, context, endpoint, handlers[name] as AnyHandler);
    }
  };
}

/** Checks in this order: the caller and the path, then the body, then what the body refers to. */
function bind(app: FastifyInstance, context: Context, endpoint: Endpoint, handler: AnyHandler): void {
  const query = endpoint.query ? checkQuery(endpoint.query) : refuseAnyQuery;
  const body = endpoint.body && checkBody(endpoint.body);
  app.route({
    method: endpoint.method,
    url: apiPrefix + endpoint.path,
    bodyLimit: maxBodyBytes(endpoint) ?? bodyBytes.small,
    config: { jsonBounds: endpoint.bodyLimit === 'jobReport' ? jobReportBounds : requestBounds },
    onRequest: async (request) => {
      checkValue(request.params);
      request.caller = await callerOf(app, context, endpoint, request);
    },
    preValidation: async (request) => {
      requireMediaType(endpoint, request);
      if (endpoint.optionalBody && request.body === undefined) request.body = {};
      checkRequest(request, query, body);
    },
    handler: async (request, reply) => {
      const http = { request, reply };
      const answer = await withoutIdleTimeout(app, request, () => answerOf(context, endpoint, handler, http));
      if (endpoint.isExport) await recordExport(context, endpoint, request);
      return send(endpoint, answer, request, reply);
    },
  });
}

async function callerOf(
  app: FastifyInstance,
  context: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  const { access } = endpoint;
  if (access === 'public') return undefined;
  const secret = isCrossSite(request) ? undefined : secretOf(request, context.settings.baseUrl);
  if (secret === undefined)
    throw new Failure('unauthenticated', 'Send a token: Authorization: Bearer <token>.');
  const credential = { hash: hashSecret(secret), ...requestOriginOf(request), now: context.now() };
  const params = request.params as Record<string, string>;
  return app.authorise(context, endpoint, params, credential);
}

function requireMediaType(endpoint: Endpoint, request: FastifyRequest): void {
  if (endpoint.body === undefined || request.body === undefined) return;
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  if (isForm && endpoint.bodyKind !== 'jsonOrForm') {
    throw new Failure('unsupported_media_type', 'The body must be application/json.');
  }
}

function checkRequest(request: FastifyRequest, query: Check, body: Check | undefined): void {
  checkValue(request.query);
  query(request.query);
  body?.(request.body);
}

/** Most requests have no query, and this is cheaper than a validator. */
const refuseAnyQuery: Check = (query) => {
  const [name] = Object.keys(query as object);
  if (name === undefined) return;
  const error = { pointer: `/${name}`, code: 'unknown', detail: 'This field is unknown.' };
  throw new Failure('invalid', `query /${name}: ${error.detail}`, { errors: [error] });
};

async function answerOf(
  context: Context,
  endpoint: Endpoint,
  handler: AnyHandler,
  http: { request: FastifyRequest; reply: FastifyReply },
): Promise<unknown> {
  const { request } = http;
  const call = {
    params: request.params,
    query: request.query,
    body: request.body,
    caller: request.caller,
    ifMatch: ifMatchOf(request),
    http,
  } as Call<Endpoint>;
  const { ifMatch } = call;
  const resource = ifMatch === undefined ? undefined : revisionedResourceOf(endpoint);
  if (ifMatch !== undefined && resource) {
    const { table, param } = resource;
    return inTransaction(context.db, async (tx) => {
      await requireRevision(tx, { table, id: (call.params as Record<string, string>)[param]!, ifMatch });
      return handler({ ...context, db: tx }, call);
    });
  }
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !isRepeatable(endpoint) || !request.caller) return handler(context, call);
  const idempotent = { key, caller: request.caller, path: request.url, body: request.body };
  return runOnce(context, idempotent, (inside) => handler(inside, call));
}

/** Whether the endpoint is a POST that creates from JSON. */
function isRepeatable({ method, body, bodyKind, access, shownOnce, waits }: Endpoint): boolean {
  return (
    method === 'POST' &&
    body !== undefined &&
    bodyKind === undefined &&
    !shownOnce &&
    !waits &&
    access !== 'runner' &&
    access !== 'job'
  );
}

function ifMatchOf(request: FastifyRequest): number | undefined {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  const revision = /^(?:W\/)?"(\d{1,9})"$/.exec(header.trim())?.[1];
  if (revision === undefined) throw changedMeanwhile();
  return Number(revision);
}

async function send(
  endpoint: Endpoint,
  answer: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (reply.sent || endpoint.download) return answer ?? reply;
  const { body, headers, status } = answer instanceof HttpReply ? answer : new HttpReply(answer);
  void reply
    .headers({ 'cache-control': 'private, no-cache', ...headers })
    .code(status ?? successStatus(endpoint));
  if (body === undefined) return reply.send();
  const etag = etagOf(body);
  if (etag) {
    void reply.header('etag', etag);
    const isWhole = endpoint.alwaysWhole || request.method !== 'GET';
    if (!isWhole && request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  }
  const location = reply.statusCode === 201 ? locationOf(endpoint, request.url, body) : undefined;
  if (location !== undefined) void reply.header('location', location);
  const links = linksOf(body, request);
  if (links) void reply.header('link', links);
  const text = isObject(body) ? await stringifyLists(body) : JSON.stringify(body);
  return reply.header('content-type', 'application/json; charset=utf-8').send(text);
}

function etagOf(body: unknown): string | undefined {
  const { revision } = body as { revision?: unknown };
  return typeof revision === 'number' ? `"${revision}"` : undefined;
}

/** Links to other pages of a list (RFC 8288). */
function linksOf(body: unknown, request: FastifyRequest): string | undefined {
  const { items, page, totalPages } = body as { items?: unknown; page?: unknown; totalPages?: unknown };
  if (!Array.isArray(items) || typeof page !== 'number' || typeof totalPages !== 'number') return undefined;
  const targets = { first: 0, prev: page - 1, next: page + 1, last: totalPages - 1 };
  const links = Object.entries(targets)
    .filter(([, target]) => target >= 0 && target < totalPages)
    .map(([rel, target]) => {
      const url = new URL(request.url, 'http://localhost');
      url.searchParams.set('page', String(target));
      return `<${url.pathname}${url.search}>; rel="${rel}"`;
    });
  return links.length > 0 ? links.join(', ') : undefined;
}
