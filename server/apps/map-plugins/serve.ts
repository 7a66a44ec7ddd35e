import { installedEngines } from '@platen/viewer/engines';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { validRange } from 'semver';
import type { CompressedForms } from '../app-pages/compressed-forms.ts';
import { refuse } from '../app-pages/send-message.ts';
import type { WebFile } from '../app-pages/web-file.ts';
import { sendWebFile } from '../app-pages/web-files.ts';
import type { Context } from '../../base/context.ts';
import { choose, maxRangeLength } from './choose.ts';
import { pluginFolder } from './resolve.ts';
import { hasFewAlternatives } from './version-filter.ts';
import { findPluginFile, findPlugins, type StoredPluginFile } from './store.ts';

/**
 * A plugin file that is opened as a page, such as an SVG, runs no scripts. Scripts are exempt because workers would
 * inherit the policy.
 */
const notForScripts = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const address = /^(?<name>(?:@[^/@]+\/)?[^/@]+)(?:@(?<version>[^/@]+))?\/(?<path>.+)$/;

/**
 * The files of plugins, below each engine: only from there they reach its scripts by the relative paths that they are
 * built with. Under a version they never change; without one the visitor is sent to the highest that `?version=` allows.
 * Each is looked up when it is asked for: what was deleted is gone at once.
 */
export function registerPluginFiles(app: FastifyInstance, context: Context, forms: CompressedForms): void {
  app.get('/engines/:engine/plugins/*', async (request, reply) => {
    const { engine, '*': rest } = request.params as { engine: string; '*': string };
    const { name, version, path } = address.exec(rest)?.groups ?? {};
    const isInstalled = installedEngines().some((one) => one.version === engine);
    // oxlint-disable-next-line no-control-regex -- the database takes no NUL
    if (!isInstalled || name === undefined || path === undefined || /[\u0000-\u001f\u007f]/.test(rest))
      return refuse(request, reply, 'file of a plugin');
    if (version === undefined) return redirect(context, { name, path, engine }, { request, reply });
    const file = await findPluginFile(context.db, { name, version, path });
    if (!file) return refuse(request, reply, 'file of a plugin');
    if (!file.contentType.startsWith('text/javascript'))
      void reply.header('content-security-policy', notForScripts);
    return sendWebFile(forms, webFileOf(context, file), { request, reply });
  });
}

interface UnversionedFile {
  readonly name: string;
  readonly path: string;
  readonly engine: string;
}

async function redirect(
  { db }: Context,
  { name, path, engine }: UnversionedFile,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { version: range = '*' } = request.query as { version?: unknown };
  const isShort = typeof range === 'string' && range.length <= maxRangeLength && hasFewAlternatives(range);
  const isRange = isShort && validRange(range) !== null;
  const versions = (await findPlugins(db, [name])).get(name) ?? [];
  const version = isRange ? choose(versions, range, engine) : undefined;
  if (version === undefined) return refuse(request, reply, 'version of this plugin for this map viewer');
  const file = path.split('/').map(encodeURIComponent).join('/');
  return reply.header('cache-control', 'no-cache').redirect(pluginFolder(engine, name, version) + file, 302);
}

function webFileOf({ store }: Context, { blobId, size, sha256, contentType }: StoredPluginFile): WebFile {
  return {
    id: sha256,
    type: contentType,
    bytes: size,
    etag: `W/"${sha256.slice(0, 32)}"`,
    async read() {
      const bytes = await store.read(blobId);
      if (!bytes) throw new Error(`The content of a plugin file is missing in the object store: ${blobId}`);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
  };
}
