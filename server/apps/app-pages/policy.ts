import { viewerCsp } from '@platen/viewer/csp';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';

interface Policy {
  /** The foreign origins that the app needs. */
  readonly hosts: readonly string[];
  /** Whose pages may show it in a frame. */
  readonly frameOrigins: readonly string[];
}

/**
 * If the operator has set the public address, scripts may only come from /engines/ there. Otherwise the address in a
 * request may be that of a proxy, so any script of the same origin may run.
 */
export function policyOf(context: Context, request: FastifyRequest, { hosts, frameOrigins }: Policy): string {
  const { publicUrl, baseUrl } = context.settings;
  const ours = publicUrl !== undefined && baseUrl !== undefined ? [new URL(baseUrl).origin] : [];
  return viewerCsp(hosts, { ...ownOrigin(context, request), embedders: [...ours, ...frameOrigins] });
}

/**
 * The same policy for a page that only this service's own pages may embed. @throws TypeError if a host is not an
 * origin
 */
export function closedPolicy(context: Context, request: FastifyRequest, hosts: readonly string[]): string {
  return viewerCsp(hosts, ownOrigin(context, request));
}

function ownOrigin({ settings }: Context, request: FastifyRequest): { origin?: string } {
  const { publicUrl, baseUrl } = settings;
  const origins = [publicUrl, baseUrl].flatMap((url) => (url === undefined ? [] : new URL(url).origin));
  const origin = origins.find((one) => new URL(one).host === request.host);
  return origin === undefined ? {} : { origin };
}
