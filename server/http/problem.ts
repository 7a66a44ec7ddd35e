import { statusOf, type ErrorCode, type Problem } from '@platen/contract/error';
import { StorageFailure } from '@platen/storage/object-store';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../base/database/is-database-away.ts';
import { Failure } from '../base/failure.ts';
import { openToAll } from './open-to-all.ts';

/** Sends a problem (RFC 9457). Errors that are not the fault of the caller are logged and stay internal. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = bodyTooLarge(error, request) ?? failureOf(error);
  if (failure.code === 'internal')
    request.log.error({ err: error, requestId: request.id }, 'a request failed with an internal error');
  if (failure.code === 'unauthenticated') void reply.header('www-authenticate', 'Bearer');
  if (failure.retryAfterSeconds !== undefined) void reply.header('retry-after', failure.retryAfterSeconds);
  const problem = problemOf(failure, withoutSecret(request.url.split('?')[0]!), request.id);
  if (request.raw.url?.startsWith('/data/') === true) void reply.headers(openToAll);
  void reply
    .code(problem.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problem));
}

/** Removes tokens of capabilities and share links from paths that are displayed or logged. */
export function withoutSecret(path: string): string {
  return path.replace(/^\/(data\/t|share)\/[^/]+(\/[\w-]{43}(?=\/|$))?/, '/$1/…');
}

/** The body of a problem, for replies that contain several. */
export function problemOf(failure: Failure, instance: string, requestId: string): Problem {
  return {
    type: `urn:platen:error:${failure.code}`,
    title: titles[failure.code],
    status: statusOf[failure.code],
    detail: failure.message,
    instance,
    code: failure.code,
    reason: failure.message,
    requestId,
    errors: [...failure.errors],
  };
}

const titles: Readonly<Record<ErrorCode, string>> = {
  invalid: 'The request is malformed',
  unauthenticated: 'Not signed in',
  forbidden: 'Not allowed',
  not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  conflict: 'Conflict',
  precondition_failed: 'Changed meanwhile',
  too_large: 'Too large',
  unsupported_media_type: 'Unsupported media type',
  range_not_satisfiable: 'Range not satisfiable',
  misdirected: 'Another host',
  unusable_reference: 'Unusable reference',
  unprocessable: 'Cannot be processed',
  too_many_requests: 'Too many requests',
  internal: 'Internal error',
  unavailable: 'Temporarily unavailable',
  storage_full: 'Storage is full',
};

/** The failure that the caller may see; messages of drivers stay internal. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof StorageFailure) return storageFailure(error);
  return databaseFailure(error) ?? httpFailure(error as Partial<FastifyError>) ?? internal(error);
}

const internal = (cause: unknown) => new Failure('internal', 'An internal error occurred.', { cause });
const away = (cause: unknown) =>
  new Failure('unavailable', 'The database cannot be reached. Try again in a moment.', {
    cause,
    retryAfterSeconds: 2,
  });

function storageFailure(error: StorageFailure): Failure {
  if (error.code === 'full') {
    return new Failure('storage_full', 'The storage is full. Nothing was stored.', { cause: error });
  }
  if (error.code === 'unavailable') {
    const message = 'The storage cannot be reached. Try again in a moment.';
    return new Failure('unavailable', message, { cause: error, retryAfterSeconds: 2 });
  }
  if (error.code === 'conflict') {
    const message = 'Another request has changed or ended the upload. Request its offset again.';
    return new Failure('conflict', message, { cause: error });
  }
  return internal(error);
}

/** Maps SQLSTATE classes that requests can cause, and lost connections. */
function databaseFailure(error: unknown): Failure | undefined {
  if (isDatabaseAway(error)) return away(error);
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return undefined;
  if (code.startsWith('22'))
    return new Failure('invalid', 'The request contains a value that cannot be stored.', { cause: error });
  if (code === '23505') return new Failure('conflict', 'Such a resource already exists.', { cause: error });
  if (code === '23503') {
    return new Failure('conflict', 'The resource is in use, or refers to one that was just deleted.', {
      cause: error,
    });
  }
  if (code === '40001' || code === '40P01' || code === '55P03' || code === '57014') {
    const text = 'Too many requests changed the same resource at once. Try again.';
    return new Failure('unavailable', text, { cause: error, retryAfterSeconds: 1 });
  }
  if (code === '53100')
    return new Failure('storage_full', 'The disk of the database is full.', { cause: error });
  return undefined;
}

/** Names the limit, which each endpoint has its own of. */
function bodyTooLarge(error: unknown, { routeOptions }: FastifyRequest): Failure | undefined {
  if ((error as Partial<FastifyError>).code !== 'FST_ERR_CTP_BODY_TOO_LARGE') return undefined;
  return new Failure(
    'too_large',
    `The body is too large. The limit is ${routeOptions.bodyLimit / 1024} KiB.`,
  );
}

/** Maps errors of Fastify: bodies of an unknown type, or unreadable. */
function httpFailure({ statusCode, message = '' }: Partial<FastifyError>): Failure | undefined {
  if (statusCode === 415) return new Failure('unsupported_media_type', message);
  if (statusCode === 404) return new Failure('not_found', message);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Failure('invalid', message);
  return undefined;
}
