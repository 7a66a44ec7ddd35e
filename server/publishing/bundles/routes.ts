import { Readable } from 'node:stream';
import { bundleEndpoints } from '@platen/contract/bundles';
import { runnerBundleEndpoints } from '@platen/contract/runner-bundle';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { routes } from '../../http/routes.ts';
import { sendTar } from '../../files/objects/download.ts';
import { targetOf } from '../credentials/target.ts';
import { folderNameOf, tarOfBundle } from './download.ts';
import type { Bundle } from './part.ts';
import { bundleOfApp, bundleOfScenario, findFile, listFiles, openBundles } from './operations.ts';

/** Bundles that runners publish and people download. */
export function bundleRoutes(app: FastifyInstance, context: Context): void {
  const bundles = openBundles(context);
  app.addHook('onClose', async () => bundles.close());
  routes(runnerBundleEndpoints, {
    getRunnerJobTarget: (inside, { caller }) => targetOf(inside, caller),
    getRunnerJobBundle: async (inside, { caller, query }) =>
      listFiles(await bundles.of(inside, caller), query.cursor),
    getRunnerJobBundleFile: async (inside, { caller, query, http: { reply } }) => {
      const file = await findFile(await bundles.of(inside, caller), query.path);
      const body = await file.open();
      const size = body instanceof Readable ? file.size : body.length;
      void reply.headers({ 'content-type': 'application/octet-stream', etag: `"${file.version}"` });
      if (size !== undefined) void reply.header('content-length', size);
      return reply.send(body);
    },
  })(app, context);
  routes(bundleEndpoints, {
    getProjectAppDownload: async (inside, { params, http }) =>
      sendBundle(inside, await bundleOfApp(bundles.sourceContext, inside.db, params), http),
    getProjectScenarioDownload: async (inside, { params, http }) =>
      sendBundle(inside, await bundleOfScenario(bundles.sourceContext, inside.db, params), http),
  })(app, context);
}

function sendBundle(
  { now }: Context,
  bundle: Bundle,
  http: { readonly request: FastifyRequest; readonly reply: FastifyReply },
) {
  return sendTar(folderNameOf(bundle.name), () => tarOfBundle(bundle, now()), http);
}
