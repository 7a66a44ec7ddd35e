import fastify, { LogController, type FastifyInstance } from 'fastify';
import { registerAppPages } from './app-pages/routes.ts';
import { appRoutes } from './apps/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { bucketRoutes } from './buckets/routes.ts';
import type { Context } from './context.ts';
import { datasourceRoutes } from './datasources/routes.ts';
import { registerExplorer } from './explorer/routes.ts';
import { Failure } from './failure.ts';
import { registerHealth } from './health/routes.ts';
import { checkValue, parseBody } from './http/body-guard.ts';
import { sendProblem } from './http/problem.ts';
import { requestIds } from './http/request-ids.ts';
import { endSlowBodies } from './http/slow-bodies.ts';
import { iamRoutes } from './iam/routes.ts';
import { inspectRoutes } from './inspect/routes.ts';
import { jobTypeRoutes } from './job-types/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { loginRoutes } from './login/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { moduleRoutes } from './modules/routes.ts';
import { objectRoutes, uploadRoutes } from './objects/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { runnerRoutes } from './queue/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { registerServing } from './serving/register.ts';
import { userRoutes } from './users/routes.ts';
import { registerWebPage } from './web-page/routes.ts';

const maxJsonBytes = 8 * 1024 * 1024;
const maxParamLength = 2048;

/** Builds the whole service from its dependencies. main.ts and the tests both start here. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    childLoggerFactory: (logger) => logger, // a logger of its own for each request costs more than it tells
    trustProxy: context.settings.trustProxy,
    bodyLimit: maxJsonBytes,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength },
    // uploads may take hours: only headers are bounded in all, bodies by their silence
    requestTimeout: 0,
    connectionTimeout: 60_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply),
  }) as unknown as FastifyInstance;

  app.decorateRequest('caller', undefined);
  parseBodies(app);
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendProblem(
      new Failure('not_found', `There is nothing at ${request.method} ${request.url.split('?')[0]}.`),
      request,
      reply,
    ),
  );
  endSlowBodies(app);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done();
  });

  const resources = [
    loginRoutes,
    userRoutes,
    iamRoutes,
    auditRoutes,
    projectRoutes,
    memberRoutes,
    moduleRoutes,
    appRoutes,
    bucketRoutes,
    objectRoutes,
    uploadRoutes,
    inspectRoutes,
    datasourceRoutes,
    taskRoutes,
    jobRoutes,
    jobTypeRoutes,
    runnerRoutes,
  ];
  for (const bindRoutes of resources) bindRoutes(app, context);
  registerHealth(app, context);
  registerAppPages(app, context);
  registerServing(app, context);
  await registerExplorer(app);
  registerWebPage(app, context);
  return app;
}

function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/([\w.-]+\+)?json/,
    { parseAs: 'buffer' },
    (_request, body, done) => {
      try {
        done(null, parseBody(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      const fields = Object.fromEntries(new URLSearchParams(body as string));
      try {
        checkValue(fields);
        done(null, fields);
      } catch (error) {
        done(error as Error);
      }
    },
  );
}
