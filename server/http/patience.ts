import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Does the work of a request. Meanwhile nothing may move on its connection for as long as it takes, say while our disk is
 * slow: that is no reason to close it. Who holds a connection open by sending nothing is cut off elsewhere (silence.ts).
 */
export async function patiently<T>(
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
