import { inspectEndpoints } from '@platen/contract/inspect';
import { apiPrefix } from '@platen/contract/endpoint';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../base/context.ts';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts';
import { HttpReply } from '../../http/reply.ts';
import { routes } from '../../http/routes.ts';
import { inspectFile } from './operations.ts';

export function inspectRoutes(app: FastifyInstance, context: Context): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort()); // waiting requests must not delay the shutdown
  routes(inspectEndpoints, {
    postProjectDataBucketInspect: async (inside, { caller, params, query, http: { reply } }) => {
      const signal = AbortSignal.any([closing.signal, abortOnDisconnect(reply)]);
      const answer = await inspectFile(inside, caller, { ...params, ...query, signal });
      if (!('jobId' in answer)) return answer;
      const location = `${apiPrefix}/project/${params.projectId}/job/${answer.jobId}`;
      return new HttpReply(answer, { location, 'retry-after': '2' }, 202);
    },
  })(app, context);
}
