import { apiEndpoints } from '@platen/contract/api';
import { apiPrefix, type Endpoint } from '@platen/contract/endpoint';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../base/failure.ts';
import { sendProblem, withoutSecret } from './problem.ts';

/** Answers a request that no route takes: 405 with `Allow` if the API has the path with other methods, else 404. */
export function refuseUnknownRoute(request: FastifyRequest, reply: FastifyReply): unknown {
  const path = request.url.split('?')[0]!;
  const methods = methodsAt(path);
  const shown = withoutSecret(path);
  if (methods.length === 0)
    return sendProblem(
      new Failure('not_found', `Nothing exists at ${request.method} ${shown}.`),
      request,
      reply,
    );
  void reply.header('allow', methods.join(', '));
  const text = `${shown} does not take ${request.method}, only ${methods.join(', ')}.`;
  return sendProblem(new Failure('method_not_allowed', text), request, reply);
}

const endpoints = Object.values<Endpoint>(apiEndpoints).map(({ method, path }) => ({
  method,
  segments: path.split('/'),
}));

/** The methods of the endpoints of a path, in order; none if the API does not have it. */
export function methodsAt(path: string): string[] {
  if (!path.startsWith(`${apiPrefix}/`)) return [];
  const given = path
    .slice(apiPrefix.length)
    .replace(/(?<!\/)\/$/, '')
    .split('/');
  const methods = endpoints
    .filter(
      ({ segments }) =>
        segments.length === given.length &&
        segments.every((segment, at) => (segment.startsWith(':') ? given[at] !== '' : segment === given[at])),
    )
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)].toSorted();
}
