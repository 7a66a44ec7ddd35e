import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Disables the idle timeout of the socket while a handler runs, as the disk may be slow. Clients that send nothing are
 * disconnected by idle-watch.ts.
 */
export async function withoutIdleTimeout<T>(
  { server }: Pick<FastifyInstance, 'server'>,
  { raw }: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  const { socket } = raw;
  if (raw.method === 'GET' || raw.method === 'HEAD' || !(socket instanceof Socket)) return work();
  socket.setTimeout(0);
  try {
    return await work();
  } finally {
    socket.setTimeout(server.timeout);
  }
}
