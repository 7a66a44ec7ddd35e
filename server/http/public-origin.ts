import type { FastifyRequest } from 'fastify';
import type { Settings } from '../base/config.ts';

/** The public address of maps and data: as configured, otherwise that of this request. */
export function publicOrigin(
  { publicUrl, baseUrl }: Pick<Settings, 'publicUrl' | 'baseUrl'>,
  request: FastifyRequest,
): string {
  return publicUrl ?? baseUrl ?? `${request.protocol}://${request.host}`;
}
