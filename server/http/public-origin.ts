import type { FastifyRequest } from 'fastify';
import type { Settings } from '../base/config.ts';

/** Where visitors find maps and their data: as the operator says, otherwise as this request came. */
export function publicOrigin(
  { publicUrl, baseUrl }: Pick<Settings, 'publicUrl' | 'baseUrl'>,
  request: FastifyRequest,
): string {
  return publicUrl ?? baseUrl ?? `${request.protocol}://${request.host}`;
}
