import fastify, { LogController, type FastifyInstance } from 'fastify';
import { join } from 'node:path';
import { keepCompressed, type CompressedForms } from './app-pages/compressed-forms.ts';
import { registerEditorPreview } from './app-pages/editor-preview.ts';
import { registerAppPages } from './app-pages/routes.ts';
import { adminRoutes } from './admin/routes.ts';
import { appPageRoutes, appPictureRoutes } from './app-pictures/routes.ts';
import { appRoutes } from './apps/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { bucketRoutes } from './buckets/routes.ts';
import { bundleRoutes } from './bundles/routes.ts';
import { capabilityRoutes } from './capabilities/routes.ts';
import type { Context } from './context.ts';
import { credentialRoutes } from './credentials/routes.ts';
import { datasourceProbeRoutes } from './datasource-probe/routes.ts';
import { datasourceRoutes } from './datasources/routes.ts';
import { registerExplorer } from './explorer/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { Failure } from './failure.ts';
import { guestRoutes } from './guests/routes.ts';
import { registerHealth } from './health/routes.ts';
import { checkValue, parseBody } from './http/body-guard.ts';
import { sendProblem, withoutSecret } from './http/problem.ts';
import { requestIds } from './http/request-ids.ts';
import { endSlowBodies } from './http/slow-bodies.ts';
import { iamRoutes } from './iam/routes.ts';
import { inspectRoutes } from './inspect/routes.ts';
import { jobTypeRoutes } from './job-types/routes.ts';
import { debugPackageRoutes } from './debug-package/routes.ts';
import { jobFileRoutes, runnerFileRoutes } from './job-files/routes.ts';
import { jobLogRoutes } from './job-log/routes.ts';
import { jobOperationRoutes } from './job-operations/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { loginCredentialRoutes } from './logins/routes.ts';
import { loginRoutes } from './login/routes.ts';
import { mapPluginRoutes, mapPluginUploadRoutes } from './map-plugins/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { modulePreviewRoutes } from './module-preview/routes.ts';
import { moduleRoutes } from './modules/routes.ts';
import { objectInfoRoutes, objectRoutes, uploadRoutes } from './objects/routes.ts';
import { publicAppRoutes } from './public-apps/routes.ts';
import { publishRoutes } from './publish/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { retentionRoutes } from './retention/routes.ts';
import { releaseRoutes } from './releases/routes.ts';
import { revisionRoutes } from './revisions/routes.ts';
import { scenarioRoutes } from './scenarios/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { objectSampleRoutes } from './object-sample/routes.ts';
import { openJobsRoutes } from './queue/open-jobs.ts';
import { runnerRoutes } from './queue/routes.ts';
import { runnerRegistryRoutes } from './runners/routes.ts';
import { registerOpenPages } from './open-in/pages.ts';
import { openInRoutes } from './open-in/routes.ts';
import { registerSharePages } from './share-links/pages.ts';
import { serviceRoutes } from './service-settings/routes.ts';
import { shareLinkRoutes } from './share-links/routes.ts';
import { taskRunRoutes } from './tasks/run-routes.ts';
import { scheduleRoutes, taskRoutes } from './tasks/routes.ts';
import { registerServing } from './serving/register.ts';
import { uploadFromUrlRoutes } from './upload-from-url/routes.ts';
import { tusRoutes } from './uploads/routes.ts';
import { usageRoutes } from './usage/routes.ts';
import { trashRoutes } from './trash/routes.ts';
import { usedByRoutes } from './used-by/routes.ts';
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
      new Failure(
        'not_found',
        `There is nothing at ${request.method} ${withoutSecret(request.url.split('?')[0]!)}.`,
      ),
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
    serviceRoutes,
    publicAppRoutes,
    loginRoutes,
    userRoutes,
    iamRoutes,
    auditRoutes,
    searchRoutes,
    adminRoutes,
    retentionRoutes,
    projectRoutes,
    usageRoutes,
    memberRoutes,
    moduleRoutes,
    modulePreviewRoutes,
    appRoutes,
    mapPluginRoutes,
    mapPluginUploadRoutes,
    appPageRoutes,
    appPictureRoutes,
    capabilityRoutes,
    shareLinkRoutes,
    guestRoutes,
    releaseRoutes,
    scenarioRoutes,
    credentialRoutes,
    loginCredentialRoutes,
    publishRoutes,
    bucketRoutes,
    objectRoutes,
    objectInfoRoutes,
    objectSampleRoutes,
    uploadRoutes,
    tusRoutes,
    uploadFromUrlRoutes,
    inspectRoutes,
    datasourceRoutes,
    datasourceProbeRoutes,
    openInRoutes,
    revisionRoutes,
    usedByRoutes,
    trashRoutes,
    taskRoutes,
    taskRunRoutes,
    scheduleRoutes,
    jobRoutes,
    eventRoutes,
    jobLogRoutes,
    jobOperationRoutes,
    jobFileRoutes,
    debugPackageRoutes,
    jobTypeRoutes,
    runnerRoutes,
    openJobsRoutes,
    runnerRegistryRoutes,
    runnerFileRoutes,
    bundleRoutes,
  ];
  for (const bindRoutes of resources) bindRoutes(app, context);
  registerHealth(app, context);
  const forms = keepForms(app, context);
  registerAppPages(app, context, forms);
  registerEditorPreview(app, context);
  registerSharePages(app, context);
  registerOpenPages(app, context);
  registerServing(app, context);
  await registerExplorer(app);
  registerWebPage(app, context, forms);
  return app;
}

/** The files of map viewers, plugins and the interface as they are sent. */
function keepForms(app: FastifyInstance, { settings, log }: Context): CompressedForms {
  const { cacheFolder } = settings;
  const folder = cacheFolder === undefined ? undefined : join(cacheFolder, 'compressed');
  const forms = keepCompressed({ folder, log });
  app.addHook('onClose', async () => forms.stop());
  return forms;
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
