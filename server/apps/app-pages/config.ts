import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { loadContent } from '../content.ts';
import { viewerConfig } from '../load.ts';
import type { Context } from '../../base/context.ts';
import { bodyOf, findConfig } from '../releases/send-stored.ts';
import { encodingFor, type Encoding } from './compressed.ts';
import { rootOfData } from './root-of-data.ts';
import { refuse } from './send-message.ts';
import { isFresh, sendText } from './send-text.ts';
import { unreleasedConfig } from './unreleased-config.ts';
import { findVisibleApp, type VisibleApp } from './visible-app.ts';

type Request = FastifyRequest;
type Reply = FastifyReply;

const type = 'application/json; charset=utf-8';
const unpack = promisify(gunzip);

interface Exchange {
  readonly request: Request;
  readonly reply: Reply;
}

/**
 * The modules stay whole and in their order: the map viewer merges them.
 * @param allowKeeping called if the response is the same for everyone and changes only with `accessChanged`
 */
export async function sendConfig(
  context: Context,
  { request, reply }: Exchange,
  allowKeeping: (reply: Reply) => void,
): Promise<unknown> {
  const visible = await findVisibleApp(context, request);
  if (!visible) return refuse(request, reply, 'app');
  const { app } = visible;
  const { db } = context;
  if (app.isPublic && app.releaseId === undefined) {
    const config = await unreleasedConfig(db, app);
    const bodyIn = async (encoding: Encoding | undefined) => (encoding ? config.gzip : unpack(config.gzip));
    return sendKept(request, reply, { ...config, encodings: ['gzip'], bodyIn });
  }
  const stored = app.isPublic ? await findConfig(db, app, app.releaseId!) : undefined;
  if (!stored) return sendCompiled(context, { request, reply }, visible, 'current');
  allowKeeping(reply);
  return sendKept(request, reply, {
    ...stored,
    encodings: ['br', 'gzip'],
    bodyIn: (encoding) => bodyOf(db, stored, encoding),
  });
}

interface KeptConfig {
  readonly etag: string;
  /** In bytes, before compression. */
  readonly size: number;
  readonly encodings: readonly Encoding[];
  readonly bodyIn: (encoding: Encoding | undefined) => Promise<Buffer>;
}

async function sendKept(
  request: Request,
  reply: Reply,
  { etag, size, encodings, bodyIn }: KeptConfig,
): Promise<unknown> {
  void reply
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding, authorization, cookie')
    .header('etag', etag);
  if (isFresh(request, etag)) return reply.code(304).send();
  const encoding = encodingFor(request.headers['accept-encoding'], { type, bytes: size }, encodings);
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply.header('content-type', type).send(await bodyIn(encoding));
}

/** Compiles the configuration for this caller: unless the app is public, it contains a secret path to the data. */
export async function sendCompiled(
  context: Context,
  { request, reply }: Exchange,
  visible: VisibleApp,
  which: string,
): Promise<unknown> {
  const { app } = visible;
  const root = await rootOfData(context, visible);
  const shown = await loadContent(context.db, app, which);
  if (!shown) return refuse(request, reply, 'release');
  const { text } = await viewerConfig(context.db, app.projectId, shown, root);
  const isPublic = visible.loginSecret === undefined;
  return sendText(request, reply, { app: { ...app, isPublic }, text, type, tag: text });
}
