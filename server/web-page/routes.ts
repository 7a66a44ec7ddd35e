import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { browserScript } from '../http/browser-script.ts';
import { secretOf } from '../http/credentials.ts';
import { readDocs } from './docs.ts';

const repository = new URL('../../', import.meta.url);
const folder = new URL('web/', repository);

/** Scripts, styles, pictures and requests of this service alone, and nothing inline. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

interface Asset {
  readonly type: string;
  readonly body: string;
  readonly etag: string;
}

/** The page at `/`, what it is made of at `/web/`, and the documentation as plain text at `/docs/`. */
export function registerWebPage(app: FastifyInstance, { settings }: Context): void {
  const html = readFileSync(new URL('index.html', folder), 'utf8');
  const pages = {
    no: asset('text/html', html),
    yes: asset('text/html', html.replace('data-session="no"', 'data-session="yes"')),
  };
  app.get('/', async (request, reply) => {
    const hasSession = secretOf(request, settings.baseUrl) !== undefined;
    void reply.headers({
      'content-security-policy': contentSecurityPolicy,
      // not `no-referrer`, which would have browsers send `Origin: null` when signing in
      'referrer-policy': 'same-origin',
      vary: 'cookie, authorization',
    });
    return send(hasSession ? pages.yes : pages.no, request, reply);
  });
  for (const [path, it] of [...webAssets(), ...docsAssets()]) {
    app.get(path, async (request, reply) => send(it, request, reply));
  }
}

function webAssets(): [path: string, asset: Asset][] {
  return readdirSync(folder).flatMap((name): [string, Asset][] => {
    const file = new URL(name, folder);
    if (name.endsWith('.ts') && !name.endsWith('.test.ts')) {
      return [[`/web/${name.replace(/\.ts$/, '.js')}`, asset('text/javascript', browserScript(file))]];
    }
    const type = name.endsWith('.css') ? 'text/css' : name.endsWith('.svg') ? 'image/svg+xml' : undefined;
    return type === undefined ? [] : [[`/web/${name}`, asset(type, readFileSync(file, 'utf8'))]];
  });
}

function docsAssets(): [path: string, asset: Asset][] {
  const pages = readDocs(repository);
  const index = JSON.stringify(pages.map(({ path, title }) => ({ path, title })));
  return [
    ['/docs/index.json', asset('application/json', index)],
    ...pages.map(({ path, text }): [string, Asset] => [`/docs/${path}`, asset('text/plain', text)]),
  ];
}

function asset(type: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { type: `${type}; charset=utf-8`, body, etag: `"${hash}"` };
}

/** Names stay the same from version to version, so a browser asks each time, and is mostly told to keep what it has. */
function send({ type, body, etag }: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.headers({ 'cache-control': 'no-cache', etag, 'cross-origin-resource-policy': 'same-origin' });
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  return reply.header('content-type', type).send(body);
}
