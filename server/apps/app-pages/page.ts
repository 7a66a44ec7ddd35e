import type { App } from '@platen/contract/apps';
import { engineModules, engineStyles, findEngine } from '@platen/viewer/engines';
import { appPage } from '@platen/viewer/page';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { publicOrigin } from '../../http/public-origin.ts';
import { languageOf } from '../../http/language.ts';
import { currentPageContent, type PageContent } from './page-content.ts';
import { policyOf } from './policy.ts';
import { describePreview } from './preview.ts';
import { isBrowser, sendMessage } from './send-message.ts';
import { sendText } from './send-text.ts';
import { findVisibleApp } from './visible-app.ts';

type Request = FastifyRequest;
type Reply = FastifyReply;

interface Exchange {
  readonly request: Request;
  readonly reply: Reply;
}

/**
 * The page that starts the map viewer for an app.
 * @param allowKeeping called if the response is the same for everyone and changes only with a notification
 */
export async function sendPage(
  context: Context,
  { request, reply }: Exchange,
  allowKeeping: (reply: Reply) => void,
): Promise<unknown> {
  const [path = '', query] = request.url.split(/\?(.*)/s);
  if (!path.endsWith('/')) {
    // relative addresses of the page must resolve below it
    const { appId } = request.params as { appId: string };
    const search = query === undefined ? '' : `?${query}`;
    return reply.redirect(`/app/${encodeURIComponent(appId)}/${search}`, 308);
  }
  const visible = await findVisibleApp(context, request);
  if (!visible) return sendMessage(request, reply, 'missing');
  const { app } = visible;
  const content = await currentPageContent(context.db, app).catch((error: unknown) => {
    if (isTooLarge(error) && isBrowser(request)) return undefined;
    throw error;
  });
  if (!content) return sendMessage(request, reply, 'tooLarge');
  if (app.isPublic && app.releaseId !== undefined) allowKeeping(reply);
  // relative to its own address: the public one may be that of another host
  const poster = `/app/${encodeURIComponent(app._id)}/preview.png`;
  return sendPageOf(context, { request, reply }, app, { content, isIndexed: app.isPublic, poster });
}

interface PageOptions {
  readonly content: PageContent;
  /** Whether search engines may list it. */
  readonly isIndexed: boolean;
  /** Address of the configuration, if it is not the app's own. */
  readonly configPath?: string;
  /** Address of the picture that is shown until the map has loaded. */
  readonly poster?: string;
}

/** Sends the page for any content of an app; the caller has checked who may see it. */
export async function sendPageOf(
  context: Context,
  { request, reply }: Exchange,
  app: App,
  { content, isIndexed, configPath, poster }: PageOptions,
): Promise<unknown> {
  const { name: title, description, engineVersion, hosts } = content;
  const engine = engineVersion === undefined ? undefined : findEngine(engineVersion);
  if (!engine) return sendMessage(request, reply, 'engineMissing');
  const html = appPage({
    appId: app._id,
    title,
    description,
    engineVersion: engine.version,
    preload: [...engineModules(engine), ...engineStyles(engine)],
    language: languageOf(request),
    isIndexed,
    ...(configPath !== undefined && { configPath }),
    ...(poster !== undefined && { poster }),
    ...(await cardOf(context, request, app)),
  });
  const policy = policyOf(context, request, { hosts, frameOrigins: app.frameOrigins });
  void reply.header('content-security-policy', policy).header('referrer-policy', 'same-origin');
  return sendText(request, reply, {
    app,
    text: html,
    type: 'text/html; charset=utf-8',
    tag: html + policy,
    variesBy: 'accept-language',
  });
}

/** Canonical URL and picture for previews of a link to the app. */
async function cardOf({ db, settings }: Context, request: Request, app: App) {
  const origin = publicOrigin(settings, request);
  return {
    canonicalUrl: `${origin}/app/${app.slug ?? app._id}/`,
    picture: await describePreview(db, app, origin),
  };
}

const isTooLarge = (error: unknown) => error instanceof Failure && error.code === 'too_large';
