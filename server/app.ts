import fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { join } from 'node:path';
import { bodyBytes } from '@platen/contract/endpoint';
import { builtForms } from './apps/app-pages/built-forms.ts';
import { keepCompressed, type CompressedForms } from './apps/app-pages/compressed-forms.ts';
import { registerEditorPreview } from './apps/app-pages/editor-preview.ts';
import { registerAppPages } from './apps/app-pages/routes.ts';
import { addonRoutes } from './project/addons/routes.ts';
import { adminRoutes } from './project/admin/routes.ts';
import { appPageRoutes, appPictureRoutes } from './apps/app-pictures/routes.ts';
import { appRoutes } from './apps/routes.ts';
import { recordRefusal } from './identity/audit/refusals.ts';
import { auditRoutes } from './identity/audit/routes.ts';
import { baseMapRoutes } from './apps/base-maps/routes.ts';
import { bucketRoutes } from './files/buckets/routes.ts';
import { bundleRoutes } from './publishing/bundles/routes.ts';
import { capabilityRoutes } from './identity/capabilities/routes.ts';
import type { Context } from './base/context.ts';
import { authoriseAny, connectAreas } from './connect-areas.ts';
import { credentialRoutes } from './publishing/credentials/routes.ts';
import { datasourceProbeRoutes } from './datasources/datasource-probe/routes.ts';
import { styleFileRoutes } from './datasources/style-files/routes.ts';
import { datasourceRoutes, lineageRoutes } from './datasources/routes.ts';
import { registerAbout } from './interface/about/routes.ts';
import { registerExplorer } from './interface/explorer/routes.ts';
import { eventRoutes } from './jobs/events/routes.ts';
import { guestRoutes } from './identity/guests/routes.ts';
import { registerHealth } from './interface/health/routes.ts';
import { checkValue, parseBody } from './base/body-guard.ts';
import { requestBounds } from './base/json-bounds.ts';
import { sendProblem } from './http/problem.ts';
import { requestIds } from './http/request-ids.ts';
import { allowOrigins } from './http/cross-origin.ts';
import { limitPaths } from './http/limit-paths.ts';
import { limitConnections, limitRequests } from './http/connection-limits.ts';
import { requireOwnHost } from './http/own-hosts.ts';
import { strictTransport } from './http/strict-transport.ts';
import { limitBodyTime } from './http/slow-bodies.ts';
import { iamRoutes } from './identity/iam/routes.ts';
import { inspectRoutes } from './jobs/inspect/routes.ts';
import { jobTypeRoutes } from './jobs/types/routes.ts';
import { debugPackageRoutes } from './jobs/debug-package/routes.ts';
import { jobFileRoutes, runnerFileRoutes } from './jobs/files/routes.ts';
import { jobLogRoutes } from './jobs/log/routes.ts';
import { jobOperationRoutes } from './jobs/job-operations/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { loginCredentialRoutes } from './publishing/logins/routes.ts';
import { accessTokenRoutes } from './identity/access-tokens/routes.ts';
import { loginRoutes } from './identity/login/routes.ts';
import { mapPluginRoutes, mapPluginUploadRoutes } from './apps/map-plugins/routes.ts';
import { memberRoutes } from './identity/members/routes.ts';
import { modulePreviewRoutes } from './apps/module-preview/routes.ts';
import { moduleRoutes } from './apps/modules/routes.ts';
import { objectInfoRoutes, objectRoutes, uploadRoutes } from './files/objects/routes.ts';
import { publicAppRoutes } from './apps/public-apps/routes.ts';
import { publishRoutes } from './publishing/publish/routes.ts';
import { projectRoutes } from './project/projects/routes.ts';
import { retentionRoutes } from './project/retention/routes.ts';
import { releaseRoutes } from './apps/releases/routes.ts';
import { datasourceRevisionRoutes } from './datasources/revisions/routes.ts';
import { objectRevisionRoutes } from './files/revisions/routes.ts';
import { scenarioRoutes } from './apps/scenarios/routes.ts';
import { searchRoutes } from './project/search/routes.ts';
import { objectSampleRoutes } from './jobs/object-sample/routes.ts';
import { openJobsRoutes, runnerRoutes } from './jobs/queue/routes.ts';
import { runnerRegistryRoutes } from './jobs/runners/routes.ts';
import { registerOpenPages } from './datasources/open-in/pages.ts';
import { openInRoutes } from './datasources/open-in/routes.ts';
import { openWorlds } from './apps/app-pages/world-tiles.ts';
import { createDrawer } from './apps/app-pictures/drawn-picture.ts';
import { registerSharePages } from './apps/share-links/pages.ts';
import { knownOrigins } from './identity/service-settings/known-origins.ts';
import { serviceRoutes } from './identity/service-settings/routes.ts';
import { shareLinkRoutes } from './apps/share-links/routes.ts';
import { taskRunRoutes } from './jobs/tasks/run-routes.ts';
import { scheduleRoutes, taskRoutes } from './jobs/tasks/routes.ts';
import { registerServing } from './datasources/serving/register.ts';
import { uploadFromUrlRoutes } from './jobs/upload-from-url/routes.ts';
import { tusRoutes } from './files/uploads/routes.ts';
import { usageRoutes } from './files/usage/routes.ts';
import { trashRoutes } from './project/trash/routes.ts';
import { usedByRoutes } from './files/used-by/routes.ts';
import { userRoutes } from './identity/users/routes.ts';
import { refuseUnknownRoute } from './http/unknown-routes.ts';
import { refuseUnroutable } from './http/unroutable.ts';
import { registerWebPage } from './interface/web-page/routes.ts';

const maxParamLength = 2048;

/** Builds the HTTP application from its dependencies, for main.ts and for tests. */
export async function createApp(context: Context): Promise<FastifyInstance> {
  const https = strictTransport(context.settings);
  // before what refuses requests, so that pages of other websites can read why
  const allow = allowOrigins({ baseUrl: context.settings.baseUrl, origins: knownOrigins(context) });
  const setHeaders = async (request: FastifyRequest, reply: FastifyReply) => {
    if (https !== undefined) void reply.header('strict-transport-security', https);
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    await allow(request, reply);
  };
  const app = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    childLoggerFactory: (logger) => logger, // one logger per request costs more than it is worth
    trustProxy: context.settings.trustProxy,
    bodyLimit: bodyBytes.small,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength },
    // uploads may take hours, so only headers have a timeout; bodies have an idle timeout
    requestTimeout: 0,
    connectionTimeout: 60_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    return503OnClosing: true,
    frameworkErrors: refuseUnroutable(setHeaders),
  }) as unknown as FastifyInstance;

  connectAreas();
  app.decorate('authorise', authoriseAny);
  app.decorateRequest('caller', undefined);
  parseBodies(app);
  app.setErrorHandler(async (error, request, reply) => {
    await recordRefusal(context, request, error);
    sendProblem(error, request, reply);
    return reply;
  });
  app.setNotFoundHandler(refuseUnknownRoute);
  limitConnections(app.server, context.settings);
  app.addHook('onRequest', setHeaders);
  limitRequests(app, context.settings);
  requireOwnHost(app, context.settings);
  limitPaths(app);
  limitBodyTime(app, context.settings);

  const resources = [
    serviceRoutes,
    publicAppRoutes,
    loginRoutes,
    accessTokenRoutes,
    userRoutes,
    iamRoutes,
    auditRoutes,
    searchRoutes,
    adminRoutes,
    addonRoutes,
    retentionRoutes,
    projectRoutes,
    usageRoutes,
    memberRoutes,
    moduleRoutes,
    modulePreviewRoutes,
    appRoutes,
    baseMapRoutes,
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
    lineageRoutes,
    datasourceProbeRoutes,
    styleFileRoutes,
    openInRoutes,
    objectRevisionRoutes,
    datasourceRevisionRoutes,
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
  const forms = openCompressedForms(app, context);
  const worlds = openWorlds();
  const draw = createDrawer(context, worlds);
  registerAppPages(app, context, { forms, worlds, draw });
  registerEditorPreview(app, context);
  registerSharePages(app, context, draw);
  registerOpenPages(app, context);
  registerServing(app, context);
  registerExplorer(app);
  registerAbout(app);
  registerWebPage(app, context, forms);
  return app;
}

/** Compressed files of map viewers, plugins and the interface. */
function openCompressedForms(app: FastifyInstance, { settings, log }: Context): CompressedForms {
  const { cacheFolder } = settings;
  const folder = cacheFolder === undefined ? undefined : join(cacheFolder, 'compressed');
  const forms = keepCompressed({ folder, built: builtForms, log });
  app.addHook('onClose', async () => forms.stop());
  return forms;
}

function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/([\w.-]+\+)?json/, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseBody(body as Buffer, request.routeOptions.config.jsonBounds ?? requestBounds));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: bodyBytes.small },
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
