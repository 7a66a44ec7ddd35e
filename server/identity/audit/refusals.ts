import type { FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { requestOriginOf } from '../../http/credentials.ts';
import { withoutSecret } from '../../http/problem.ts';

const maxPathLength = 200;

/** Records that a request was refused because the caller lacks rights; other failures are not recorded. */
export async function recordRefusal(
  { repeatedAudit, now }: Context,
  request: FastifyRequest,
  error: unknown,
): Promise<void> {
  if (!(error instanceof Failure) || error.code !== 'forbidden') return;
  const { projectId = '' } = (request.params ?? {}) as { projectId?: string };
  const userId = error.actorId ?? request.caller?.userId ?? '';
  const path = withoutSecret(request.url.split('?')[0]!).slice(0, maxPathLength);
  await repeatedAudit.record({
    now: now(),
    caller: { userId, ...requestOriginOf(request) },
    action: 'access.refused',
    projectId: projectId.slice(0, 64),
    targetId: `${request.method} ${request.routeOptions.url ?? ''}`,
    detail: { path, reason: error.message },
  });
}
