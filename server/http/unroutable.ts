import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from './problem.ts';

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Answers requests whose path cannot be routed: bad percent escapes, parameters that are too long. No hook runs for them,
 * so this sets the headers of all replies.
 */
export function refuseUnroutable(setHeaders: Hook) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    setHeaders(request, reply)
      .catch((failure: unknown) => request.log.error({ err: failure }, 'a refusal lacks headers'))
      .finally(() => {
        if (!reply.sent) sendProblem(error, request, reply);
      });
  };
}
