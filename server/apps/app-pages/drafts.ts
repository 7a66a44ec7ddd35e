import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loadContent, type MapContent } from '../content.ts';
import type { Context } from '../../base/context.ts';
import { Failure } from '../../base/failure.ts';
import { findReleaseHead } from '../releases/store.ts';
import { sendCompiled } from './config.ts';
import type { DrawPicture } from '../app-pictures/drawn-picture.ts';
import { pageContentOf } from './page-content.ts';
import { sendPageOf } from './page.ts';
import { sendDrawn } from './preview.ts';
import { refuse, sendMessage } from './send-message.ts';
import { findAppWithDrafts, type VisibleApp } from './visible-app.ts';

type Request = FastifyRequest;
type Reply = FastifyReply;

/** Drafts and releases, for callers who may read the app. Guests and the public see only its current content. */
export function registerDrafts(app: FastifyInstance, context: Context, draw: DrawPicture): void {
  for (const place of ['/app/:appId/draft', '/app/:appId/release/:number']) {
    app.get(place, (request, reply) => sendDraftPage(context, request, reply));
    app.get(`${place}/app.config.json`, (request, reply) => sendDraftConfig(context, request, reply));
    app.get(`${place}/preview.png`, (request, reply) => sendDraftPicture(context, draw, request, reply));
  }
}

async function sendDraftPage(context: Context, request: Request, reply: Reply): Promise<unknown> {
  void reply.header('x-robots-tag', 'noindex');
  const [path = '', query] = request.url.split(/\?(.*)/s);
  if (!path.endsWith('/')) {
    const search = query === undefined ? '' : `?${query}`;
    return reply.redirect(`${pathOf(request)}/${search}`, 308);
  }
  const asked = await findRequest(context, request);
  if (!asked) return sendMessage(request, reply, 'missing');
  const { visible, which } = asked;
  const app = { ...visible.app, isPublic: false };
  const shown = await findContent(context, visible, which);
  if (!shown) return sendMessage(request, reply, 'tooLarge');
  const configPath = `${pathOf(request)}/app.config.json`;
  const content = await pageContentOf(context.db, app, shown);
  const poster = `${pathOf(request)}/preview.png`;
  return sendPageOf(context, { request, reply }, app, { content, isIndexed: false, configPath, poster });
}

/** What the page shows until its map has loaded. */
async function sendDraftPicture(
  context: Context,
  draw: DrawPicture,
  request: Request,
  reply: Reply,
): Promise<unknown> {
  void reply.headers({
    'x-robots-tag': 'noindex',
    'cache-control': 'private, no-cache',
    vary: 'authorization, cookie',
  });
  const asked = await findRequest(context, request);
  const content = asked && (await findContent(context, asked.visible, asked.which));
  if (!content) return refuse(request, reply, 'app');
  return sendDrawn(context.db, draw, { app: asked.visible.app, content }, { request, reply });
}

async function sendDraftConfig(context: Context, request: Request, reply: Reply): Promise<unknown> {
  void reply.header('x-robots-tag', 'noindex');
  const asked = await findRequest(context, request);
  if (!asked) return refuse(request, reply, 'app');
  return sendCompiled(context, { request, reply }, asked.visible, asked.which);
}

interface DraftRequest {
  readonly visible: VisibleApp;
  /** `draft`, or the id of a release. */
  readonly which: string;
}

/** undefined if it does not exist or the caller may not see it. */
async function findRequest(context: Context, request: Request): Promise<DraftRequest | undefined> {
  const visible = await findAppWithDrafts(context, request);
  if (!visible) return undefined;
  const { number } = request.params as { number?: string };
  if (number === undefined) return { visible, which: 'draft' };
  const isNumber = /^[1-9]\d{0,8}$/.test(number);
  const release = isNumber ? await findReleaseHead(context.db, visible.app._id, number) : undefined;
  return release && { visible, which: release._id };
}

/** undefined: it has become too large. */
async function findContent(
  { db }: Context,
  { app }: VisibleApp,
  which: string,
): Promise<MapContent | undefined> {
  try {
    return await loadContent(db, app, which);
  } catch (error) {
    if (error instanceof Failure && error.code === 'too_large') return undefined;
    throw error;
  }
}

/** Without the slash at its end. */
function pathOf(request: Request): string {
  const { appId, number } = request.params as { appId: string; number?: string };
  const app = `/app/${encodeURIComponent(appId)}`;
  return number === undefined ? `${app}/draft` : `${app}/release/${encodeURIComponent(number)}`;
}
