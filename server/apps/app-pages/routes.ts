import type { FastifyInstance } from 'fastify';
import type { Context } from '../../base/context.ts';
import type { DrawPicture } from '../app-pictures/drawn-picture.ts';
import { openRenderings } from '../app-pictures/rendering/renderings.ts';
import { registerWorldTiles } from './basemap.ts';
import { sendConfig } from './config.ts';
import { registerDrafts } from './drafts.ts';
import { registerEngines } from './engines.ts';
import type { CompressedForms } from './compressed-forms.ts';
import { cacheResponses } from './response-cache.ts';
import { sendPage } from './page.ts';
import { previewPaths, previewSender } from './preview.ts';
import type { Worlds } from './world-tiles.ts';

interface AppPages {
  readonly forms: CompressedForms;
  readonly worlds: Worlds;
  readonly draw: DrawPicture;
}

/** Shows apps as maps: their pages and configurations, the files of the map viewer, and the world base layer. */
export function registerAppPages(
  app: FastifyInstance,
  context: Context,
  { forms, worlds, draw }: AppPages,
): void {
  const renderings = openRenderings(context);
  app.addHook('onClose', async () => renderings?.stop());
  const sendPreview = previewSender(context, draw, renderings);
  void app.register(async (scope) => {
    const kept = cacheResponses(scope, context);
    const page = kept.around((request, reply) => sendPage(context, { request, reply }, kept.allow));
    const config = kept.around((request, reply) => sendConfig(context, { request, reply }, kept.allow));
    scope.get('/app/:appId', page);
    scope.get('/app/:appId/app.config.json', config);
  });
  registerDrafts(app, context, draw);
  for (const path of previewPaths) app.get(path, sendPreview);
  registerEngines(app, context, forms);
  registerWorldTiles(app, worlds);
}
