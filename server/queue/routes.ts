import { Readable } from 'node:stream';
import { runnerEndpoints, runnerOutputEndpoints } from '@platen/contract/runner';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { hungUp } from '../http/hung-up.ts';
import { routes } from '../http/routes.ts';
import { completeJob } from '../jobs/complete.ts';
import { listMembers, openInput, takeOutput } from './files.ts';
import { claimJob, enrol, failJob, heartbeat, releaseJob, takeLog, takeProgress } from './operations.ts';

export function runnerRoutes(app: FastifyInstance, context: Context): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort()); // long polls must not hold up the end of the service
  /** Aborts when there is nobody left to answer. */
  const gone = (reply: FastifyReply): AbortSignal => AbortSignal.any([closing.signal, hungUp(reply)]);
  routes(runnerEndpoints, {
    postRunnerEnrol: (inside, { body }) => enrol(inside, body),
    postRunnerClaim: (inside, { caller, body, http }) =>
      claimJob(inside, caller, { waitSeconds: body.waitSeconds, signal: gone(http.reply) }),
    postRunnerJobHeartbeat: (inside, { caller, body, http }) =>
      heartbeat(inside, caller, { waitMs: body.waitMs, signal: gone(http.reply) }),
    postRunnerJobProgress: (inside, { caller, body }) => takeProgress(inside, caller, body),
    postRunnerJobLog: (inside, { caller, body }) => takeLog(inside, caller, body),
    getRunnerJobInput: async (inside, { caller, params, query, http }) => {
      const { stream, size } = await openInput(inside, caller, { index: params.index, member: query.member });
      const headers = { 'content-type': 'application/octet-stream', 'content-length': String(size) };
      return http.reply.headers(headers).send(stream);
    },
    getRunnerJobInputMembers: (inside, { caller, params, query }) =>
      listMembers(inside, caller, { index: params.index, after: query.after }),
    postRunnerJobComplete: (inside, { caller, body }) => completeJob(inside, caller, body),
    postRunnerJobFail: (inside, { caller, body }) => failJob(inside, caller, body),
    postRunnerJobRelease: (inside, { caller }) => releaseJob(inside, caller),
  })(app, context);
  // in a scope of its own, so that plain bytes stay an unsupported media type everywhere else
  void app.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
    bindOutput(scope, context);
  });
}

const bindOutput = routes(runnerOutputEndpoints, {
  putRunnerJobOutput: (context, { caller, query, http: { request, reply } }) => {
    const { body } = request;
    if (!(body instanceof Readable))
      throw new Failure('unsupported_media_type', 'The body must be application/octet-stream.');
    return takeOutput(context, caller, { key: query.key, body, signal: hungUp(reply) });
  },
});
