import type { FastifyReply, FastifyRequest } from 'fastify';
import { loadContent } from '../content.ts';
import { viewerConfig } from '../load.ts';
import type { Context } from '../../base/context.ts';
import { bodyOf, findConfig } from '../releases/send-stored.ts';
import { unpack, type Encoding } from './compressed.ts';
import { rootOfData } from './root-of-data.ts';
import { sendEncodedConfig, sendMadeConfig } from './send-config.ts';
import { refuse } from './send-message.ts';
import { unreleasedConfig } from './unreleased-config.ts';
import { findVisibleApp, type VisibleApp } from './visible-app.ts';

type Request = FastifyRequest;
type Reply = FastifyReply;

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
    return sendEncodedConfig(request, reply, { ...config, isPublic: true, encodings: ['gzip'], bodyIn });
  }
  const stored = app.isPublic ? await findConfig(db, app, app.releaseId!) : undefined;
  if (!stored) return sendCompiled(context, { request, reply }, visible, 'current');
  allowKeeping(reply);
  return sendEncodedConfig(request, reply, {
    ...stored,
    isPublic: true,
    encodings: ['br', 'gzip'],
    bodyIn: (encoding) => bodyOf(db, stored, encoding),
  });
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
  const config = await viewerConfig(context.db, app.projectId, shown, root);
  return sendMadeConfig(request, reply, { ...config, isPublic: visible.loginSecret === undefined });
}
