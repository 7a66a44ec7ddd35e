import type { FastifyInstance } from 'fastify';
import { Failure } from '../base/failure.ts';

/** In bytes once decoded; a key of a file has 1024 at most. */
const maxPathBytes = 2048;

/**
 * Refuses paths that name nothing before anything is decided or looked up by them: longer than 2 KiB, or with an empty
 * segment. The query does not count.
 */
export function limitPaths(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => done(problemOf(request.raw.url ?? '')));
}

function problemOf(url: string): Failure | undefined {
  // the absolute form names the host first (RFC 9112, 3.2.2)
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('?');
  const path = url.slice(Math.max(start, 0), end < 0 ? undefined : end);
  if (path.length > maxPathBytes && decodedBytes(path) > maxPathBytes)
    return new Failure('invalid', `The path is too long. The limit is ${maxPathBytes} bytes.`);
  if (path.includes('//'))
    return new Failure('not_found', 'Nothing exists at this path: it has an empty segment (//).');
  return undefined;
}

/** Three characters stand for an encoded byte. */
function decodedBytes(path: string): number {
  let encoded = 0;
  for (let at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 1)) encoded++;
  return path.length - 2 * encoded;
}
