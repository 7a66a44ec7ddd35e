import { createHash } from 'node:crypto';
import type { App } from '@platen/contract/apps';
import { worldModule } from '@platen/viewer/world-module';
import { viewerCsp } from '@platen/viewer/csp';
import { engineModules, findEngine } from '@platen/viewer/engines';
import { appPage } from '@platen/viewer/page';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { loadCompiledModules } from '../apps/load.ts';
import type { Context } from '../context.ts';
import { Failure, notFound } from '../failure.ts';
import { sendProblem } from '../http/problem.ts';
import { compress, encodingFor } from './compressed.ts';
import { listEngineFiles } from './engine-files.ts';
import { foreignHosts } from './foreign-hosts.ts';
import { engineMissingPage, messagePolicy, missingPage, tooLargePage } from './missing-page.ts';
import { findVisibleApp } from './visible-app.ts';
import { openWorldTiles } from './world-tiles.ts';

type Request = FastifyRequest;
type Reply = FastifyReply;

/** Shows apps as maps: their pages and configurations, the files of the map viewer, and the world base layer. */
export function registerAppPages(app: FastifyInstance, context: Context): void {
  app.get('/app/:appId', (request, reply) => sendPage(context, request, reply));
  app.get('/app/:appId/app.config.json', (request, reply) => sendConfig(context, request, reply));
  registerEngines(app);
  registerWorldTiles(app);
}

async function sendPage(context: Context, request: Request, reply: Reply): Promise<unknown> {
  const [path = '', query] = request.url.split(/\?(.*)/s);
  if (!path.endsWith('/')) {
    // what the page asks for lies below it
    const { appId } = request.params as { appId: string };
    const search = query === undefined ? '' : `?${query}`;
    return reply.redirect(`/app/${encodeURIComponent(appId)}/${search}`, 308);
  }
  const app = await findVisibleApp(context, request);
  if (!app) return sendMessage(request, reply, 404, missingPage);
  const engine = findEngine(app.mapVersion);
  if (!engine) return sendMessage(request, reply, 503, engineMissingPage);
  const modules = await loadCompiledModules(context.db, app).catch((error: unknown) => {
    if (isTooLarge(error) && isBrowser(request)) return undefined;
    throw error;
  });
  if (!modules) return sendMessage(request, reply, 413, tooLargePage);
  const { _id: appId, name: title, description } = app;
  const preload = engineModules(engine);
  const html = appPage({ appId, title, description, engineVersion: engine.version, preload });
  const policy = policyOf(context, request, foreignHosts(modules));
  void reply.header('content-security-policy', policy).header('referrer-policy', 'same-origin');
  return sendText(request, reply, { app, text: html, type: 'text/html; charset=utf-8', tag: html + policy });
}

/** The modules stay whole and in their order: merging them is the map viewer's work. */
async function sendConfig(context: Context, request: Request, reply: Reply): Promise<unknown> {
  const app = await findVisibleApp(context, request);
  if (!app) return refuse(request, reply, 'app');
  const modules = await loadCompiledModules(context.db, app);
  const text = JSON.stringify({ modules: [worldModule(), ...modules] });
  return sendText(request, reply, { app, text, type: 'application/json; charset=utf-8', tag: text });
}

interface Text {
  readonly app: App;
  readonly text: string;
  readonly type: string;
  /** Whose hash tells one answer from another. */
  readonly tag: string;
}

/** Asked for again at each visit, so that a change, and the end of publicity, is seen at once. */
async function sendText(request: Request, reply: Reply, { app, text, type, tag }: Text): Promise<unknown> {
  const etag = `W/"${createHash('sha256').update(tag).digest('base64url').slice(0, 22)}"`;
  void reply
    .header('cache-control', app.isPublic ? 'no-cache' : 'private, no-cache')
    .header('vary', 'accept-encoding, authorization, cookie')
    .header('etag', etag);
  if (isFresh(request, etag)) return reply.code(304).send();
  return sendEncoded(request, reply, { type, body: Buffer.from(text) });
}

async function sendEncoded(
  request: Request,
  reply: Reply,
  { type, body }: { type: string; body: Buffer },
): Promise<unknown> {
  void reply.header('content-type', type);
  // gzip alone: made anew for each answer, it must be quick
  const encoding = encodingFor(request.headers['accept-encoding'], { type, bytes: body.length }, ['gzip']);
  if (encoding === undefined) return reply.send(body);
  return reply.header('content-encoding', encoding).send(await compress(body, encoding));
}

const isTooLarge = (error: unknown) => error instanceof Failure && error.code === 'too_large';
const isBrowser = ({ headers }: Request) => /\btext\/html\b/.test(headers.accept ?? '');

function sendMessage(request: Request, reply: Reply, status: 404 | 413 | 503, html: string): unknown {
  if (status === 404 && !isBrowser(request)) return refuse(request, reply, 'app');
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('vary', 'accept')
    .header('content-security-policy', messagePolicy)
    .header('referrer-policy', 'no-referrer')
    .header('content-type', 'text/html; charset=utf-8')
    .send(html);
}

/**
 * Where the operator said under which address visitors come, scripts are taken from /engines/ there only. Where not, the
 * address in a request may be a proxy's and not the one in the visitor's browser, so any script of the same origin may run.
 */
function policyOf({ settings }: Context, request: Request, hosts: readonly string[]): string {
  const { publicUrl, baseUrl } = settings;
  const origins = [publicUrl, baseUrl].flatMap((url) => (url === undefined ? [] : new URL(url).origin));
  const own = origins.find((origin) => new URL(origin).host === request.host);
  const embedders = publicUrl !== undefined && baseUrl !== undefined ? [new URL(baseUrl).origin] : [];
  return viewerCsp(hosts, { ...(own !== undefined && { origin: own }), embedders });
}

function registerEngines(app: FastifyInstance): void {
  const files = listEngineFiles();
  app.get('/engines/*', async (request, reply) => {
    const { '*': path } = request.params as { '*': string };
    const file = files.get(`/engines/${path}`);
    if (!file) return refuse(request, reply, 'file of the map viewer');
    const { type, bytes, etag } = file;
    void reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .header('etag', etag)
      .header('content-type', type);
    if (isFresh(request, etag)) return reply.code(304).send();
    const encoding = encodingFor(request.headers['accept-encoding'], { type, bytes });
    if (encoding) void reply.header('content-encoding', encoding);
    return reply.send(await file.body(encoding));
  });
}

function registerWorldTiles(app: FastifyInstance): void {
  const findTile = openWorldTiles();
  app.get('/basemap/world/:z/:x/:file', async (request, reply) => {
    const { z, x, file } = request.params as { z: string; x: string; file: string };
    const [, y] = /^(\d{1,2})\.png$/.exec(file) ?? [];
    const isAddress = y !== undefined && /^\d{1,2}$/.test(z) && /^\d{1,2}$/.test(x);
    const tile = isAddress ? await findTile(Number(z), Number(x), Number(y)) : undefined;
    if (!tile) return refuse(request, reply, 'tile');
    void reply
      .header('cache-control', 'public, max-age=86400')
      .header('access-control-allow-origin', '*')
      .header('etag', tile.etag)
      .header('content-type', 'image/png');
    return isFresh(request, tile.etag) ? reply.code(304).send() : reply.send(tile.png);
  });
}

function refuse(request: Request, reply: Reply, what: string): Reply {
  sendProblem(notFound(what), request, reply);
  return reply;
}

function isFresh(request: Request, etag: string): boolean {
  const { 'if-none-match': known = '' } = request.headers;
  return known.includes(etag.replace(/^W\//, ''));
}
