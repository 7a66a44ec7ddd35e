import { openJobsEndpoints } from '@platen/contract/open-jobs';
import { runnerEndpoints } from '@platen/contract/runner';
import { runnerOutputEndpoints } from '@platen/contract/runner-outputs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { bytesOf, withByteBodies } from '../../http/byte-bodies.ts';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.ts';
import { routes } from '../../http/routes.ts';
import { runnerOf } from '../runners/authorise-runner.ts';
import { claimJob, untilRunnerRemoved } from './claim.ts';
import { completeJob } from './complete.ts';
import { failJob } from './fail.ts';
import { releaseJob } from './give-back.ts';
import { findInputLocation, listMembers, openInput } from './inputs.ts';
import { heartbeat } from './lease.ts';
import { countStoredOutputs, takeOutputStream } from './output-stream.ts';
import { findOutputOffset, takeOutputPart } from './output-parts.ts';
import { takeOutput } from './outputs.ts';
import { takeLog, takeProgress } from './progress.ts';

export function runnerRoutes(app: FastifyInstance, context: Context): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort()); // long polls must not delay the shutdown
  /** Aborts when the client disconnects or the service shuts down. */
  const gone = (reply: FastifyReply): AbortSignal =>
    AbortSignal.any([closing.signal, abortOnDisconnect(reply)]);
  routes(runnerEndpoints, {
    postRunnerClaim: (inside, { caller, body, http }) =>
      untilRunnerRemoved(
        inside.notifications,
        { runnerId: runnerOf(caller).runnerId, signal: gone(http.reply) },
        (signal) => claimJob(inside, caller, { waitSeconds: body.waitSeconds, signal }),
      ),
    postRunnerJobHeartbeat: (inside, { caller, body, http }) =>
      heartbeat(inside, caller, { waitMs: body.waitMs, signal: gone(http.reply) }),
    postRunnerJobProgress: (inside, { caller, body }) => takeProgress(inside, caller, body),
    postRunnerJobLog: (inside, { caller, body }) => takeLog(inside, caller, body),
    getRunnerJobInput: async (inside, { caller, params, query, http }) => {
      const { stream, size } = await openInput(inside, caller, { ...query, index: params.index });
      const headers = { 'content-type': 'application/octet-stream', 'content-length': String(size) };
      return http.reply.headers(headers).send(stream);
    },
    getRunnerJobInputPlace: (inside, { caller, params, query }) =>
      findInputLocation(inside, caller, { ...query, index: params.index }),
    getRunnerJobInputMembers: (inside, { caller, params, query }) =>
      listMembers(inside, caller, { index: params.index, after: query.after }),
    postRunnerJobComplete: (inside, { caller, body }) => completeJob(inside, caller, body),
    postRunnerJobFail: (inside, { caller, body }) => failJob(inside, caller, body),
    postRunnerJobRelease: (inside, { caller }) => releaseJob(inside, caller),
  })(app, context);
  bindOutput(app, context);
}

const bindOutput = withByteBodies(
  routes(runnerOutputEndpoints, {
    putRunnerJobOutputs: (context, { caller, query, http: { request } }) =>
      takeOutputStream(context, caller, { ...query, body: bytesOf(request, context).body }),
    putRunnerJobOutputPart: (context, { caller, query, http: { request, reply } }) =>
      takeOutputPart(context, caller, {
        ...query,
        piece: bytesOf(request, context),
        signal: abortOnDisconnect(reply),
      }),
    putRunnerJobOutput: (context, { caller, query, http: { request, reply } }) =>
      takeOutput(context, caller, {
        ...query,
        ...bytesOf(request, context),
        signal: abortOnDisconnect(reply),
      }),
    getRunnerJobOutputs: (context, { caller }) => countStoredOutputs(context, caller),
    getRunnerJobOutputPart: (context, { caller, query, http: { reply } }) =>
      findOutputOffset(context, caller, { ...query, signal: abortOnDisconnect(reply) }),
  }),
  ['application/octet-stream', 'application/x-tar'],
);

export const openJobsRoutes = routes(openJobsEndpoints, {
  postRunnerOpenJobs: (context, { body }) => findOpenJobs(context, body.jobIds),
});

/** Of these jobs, the ones that have not ended, so that another attempt may resume them. */
async function findOpenJobs({ db }: Context, jobIds: readonly string[]): Promise<{ jobIds: string[] }> {
  const rows = await db
    .selectFrom('job')
    .select('id')
    .where(sql<boolean>`id = any(${[...jobIds]})`)
    .where('state', 'in', ['queued', 'running'])
    .execute();
  return { jobIds: rows.map(({ id }) => id) };
}
