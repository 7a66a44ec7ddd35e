import { apiPrefix } from '@platen/contract/endpoint';
import { taskRunEndpoints } from '@platen/contract/task-runs';
import type { Task } from '@platen/contract/tasks';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../base/context.ts';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts';
import { runOnce } from '../../http/idempotency.ts';
import { HttpReply } from '../../http/reply.ts';
import { routes } from '../../http/routes.ts';
import { runJobAgain, runTask } from './run.ts';
import { createAtOnce, waitForTask } from './sync.ts';

export function taskRunRoutes(app: FastifyInstance, context: Context): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort()); // waiting requests must not delay the shutdown
  routes(taskRunEndpoints, {
    postProjectTaskRun: (inside, { caller, params, body }) => runTask(inside, caller, { ...params, body }),
    postProjectJobRun: (inside, { caller, params, body }) => runJobAgain(inside, caller, { ...params, body }),
    postProjectTaskSync: async (inside, { caller, params, query, body, http: { request, reply } }) => {
      const signal = AbortSignal.any([closing.signal, abortOnDisconnect(reply)]);
      const create = (where: Context) => createAtOnce(where, caller, { ...params, body });
      const key = request.headers['idempotency-key'];
      // after its transaction, because runners see the job only then
      const path = request.url.split('?')[0]!;
      const task =
        typeof key === 'string'
          ? ((await runOnce(inside, { key, caller, path, body }, create)) as Task)
          : await create(inside);
      const answer = await waitForTask(inside, { task, ms: query.waitSeconds * 1000, signal });
      if (answer.lastJob.endTime !== undefined) return answer;
      const location = `${apiPrefix}/project/${params.projectId}/job/${answer.lastJob._id}`;
      return new HttpReply(answer, { location }, 202);
    },
  })(app, context);
}
