import type { App } from '@platen/contract/apps';
import type { PagePicture } from '@platen/viewer/page';
import { worldModule } from '@platen/viewer/world-module';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashOfPicture, orderPicture, type DrawPicture } from '../app-pictures/drawn-picture.ts';
import type { Rendering, Renderings } from '../app-pictures/rendering/renderings.ts';
import { findPicture, type StoredPicture } from '../app-pictures/store.ts';
import { previewHeight, previewWidth } from '../app-pictures/view.ts';
import { loadContent, type MapContent } from '../content.ts';
import type { Context } from '../../base/context.ts';
import type { Db } from '../../base/database/database.ts';
import { Failure, notFound } from '../../base/failure.ts';
import { currentPageContent } from './page-content.ts';
import { refuse } from './send-message.ts';
import { isFresh } from './send-text.ts';
import { findVisibleApp } from './visible-app.ts';

type Request = FastifyRequest;
type Reply = FastifyReply;

const endings = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;
/** Whichever of these a link was shared with, it shows what the picture is now. */
export const previewPaths = Object.values(endings).map((ending) => `/app/:appId/preview.${ending}`);

/** The picture of a link to the app: the uploaded one, or a drawn one. */
export async function describePreview(
  db: Db,
  { _id: appId, releaseId }: Pick<App, '_id' | 'releaseId'>,
  origin: string,
): Promise<PagePicture> {
  const picture = await findPicture(db, appId);
  const address = `${origin}/app/${appId}/preview`;
  // those who show links keep pictures for long: another one has another address
  if (!picture) {
    const url = `${address}.png${releaseId === undefined ? '' : `?v=${releaseId.slice(-8)}`}`;
    return { url, type: 'image/png', width: previewWidth, height: previewHeight };
  }
  const { contentType: type, width, height, sha256 } = picture;
  return { url: `${address}.${endings[type]}?v=${sha256.slice(0, 8)}`, type, width, height };
}

const pictureSandbox = "default-src 'none'; sandbox";

/** Access follows the same rules as the page. */
export function previewSender(context: Context, draw: DrawPicture, renderings: Renderings | undefined) {
  return async (request: Request, reply: Reply): Promise<unknown> => {
    const visible = await findVisibleApp(context, request);
    if (!visible) return refuse(request, reply, 'app');
    const { app } = visible;
    void reply.headers({
      'cache-control': app.isPublic ? 'no-cache' : 'private, no-cache',
      vary: 'authorization, cookie',
      'content-security-policy': pictureSandbox,
    });
    const picture = await findPicture(context.db, app._id);
    if (picture) return sendUploaded(context, picture, request, reply);
    const rendering = app.isPublic ? await findRendering(context, app, request, renderings) : undefined;
    if (rendering) {
      void reply.header('etag', rendering.etag);
      if (isFresh(request, rendering.etag)) return reply.code(304).send();
      return reply.header('content-type', 'image/png').send(rendering.png);
    }
    const content = await loadContent(context.db, app, 'current').catch(nothingIfTooLarge);
    return sendDrawn(context.db, draw, { app, content }, { request, reply });
  };
}

interface Drawn {
  readonly app: App;
  readonly content: Pick<MapContent, 'modules' | 'revisions' | 'world'>;
}

/** Sends the map of any content of an app, drawn by us; the caller has checked who may see it. */
export async function sendDrawn(
  db: Db,
  draw: DrawPicture,
  { app, content }: Drawn,
  { request, reply }: { readonly request: Request; readonly reply: Reply },
): Promise<unknown> {
  const order = await orderPicture(db, app.projectId, content);
  const etag = `"${hashOfPicture(order)}"`;
  void reply.header('etag', etag);
  if (isFresh(request, etag)) return reply.code(304).send();
  const png = await draw(order, (error) => {
    request.log.warn({ err: error, app: app._id }, 'the map of an app could not be painted');
    void reply.removeHeader('etag');
  });
  return reply
    .headers({ 'content-type': 'image/png', 'content-security-policy': pictureSandbox })
    .send(Buffer.from(png));
}

/** Only of public apps: the browser sees what any visitor sees. */
async function findRendering(
  { db, settings }: Context,
  app: App,
  request: Request,
  renderings: Renderings | undefined,
): Promise<Rendering | undefined> {
  const { localAddress: host, localPort: port } = request.socket;
  if (!renderings || host === undefined || port === undefined) return undefined;
  const content = await currentPageContent(db, app).catch(() => undefined); // the page says what is wrong with it
  if (content?.engineVersion === undefined || content.etag === undefined) return undefined;
  const origin =
    settings.publicUrl ?? settings.baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const url = `${origin}/app/${app._id}/`;
  return renderings.find(`${app._id} ${content.engineVersion} ${content.etag}`, { url, host, port });
}

async function sendUploaded(
  { store }: Context,
  { sha256, contentType, size, blobId }: StoredPicture,
  request: Request,
  reply: Reply,
): Promise<unknown> {
  const etag = `"${sha256}"`;
  void reply.header('etag', etag);
  if (isFresh(request, etag)) return reply.code(304).send();
  const body = await store.stream(blobId, { offset: 0, length: size });
  if (!body) throw notFound('picture');
  return reply.header('content-type', contentType).header('content-length', size).send(body);
}

/** Falls back to the world: the page itself reports that the app is too large. */
function nothingIfTooLarge(error: unknown): Pick<MapContent, 'modules' | 'revisions' | 'world'> {
  if (error instanceof Failure && error.code === 'too_large')
    return { modules: [], revisions: new Map(), world: worldModule() };
  throw error;
}
