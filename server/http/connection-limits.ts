import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { compile } from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import type { Settings } from '../base/config.ts';
import { Failure } from '../base/failure.ts';
import { networkOf } from '../base/network.ts';
import { createCounts } from '../base/counts.ts';
import { problemOf } from './problem.ts';

type Limits = Pick<Settings, 'maxConnections' | 'maxConnectionsPerAddress' | 'trustProxy'>;

const retryAfterSeconds = 10;
/** How long a refused client may take to read why. */
const refusalMs = 1_000;
/** Connections that are being refused; beyond this, they are closed without a word. */
const maxRefusals = 256;

/** Limits the connections of a server: in all, and of each address but those of trusted proxies. */
export function limitConnections(server: Server, limits: Limits): void {
  const isProxy = limits.trustProxy === false ? () => false : compile(limits.trustProxy);
  const open = createCounts();
  const refusalOf = (address: string) => {
    if (open.total >= limits.maxConnections) return tooManyInAll();
    const isOver = open.of(networkOf(address)) >= limits.maxConnectionsPerAddress;
    return isOver && !isProxy(address, 0) ? tooManyOfOne() : undefined;
  };
  server.maxConnections = limits.maxConnections + maxRefusals;
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const failure = refusalOf(address);
    if (failure) return refuse(socket, failure);
    const network = networkOf(address);
    open.add(network);
    socket.once('close', () => open.remove(network));
    for (const accept of listeners) accept.call(server, socket);
  });
}

/** Limits the concurrent requests of an address, which may share the connections of a proxy, or send many over one. */
export function limitRequests(app: FastifyInstance, { maxConnectionsPerAddress: max }: Limits): void {
  const open = createCounts();
  app.addHook('onRequest', (request, reply, done) => {
    const network = networkOf(request.ip);
    if (open.of(network) >= max) return done(tooManyOfOne());
    open.add(network);
    reply.raw.once('close', () => open.remove(network));
    done();
  });
}

const tooManyInAll = () =>
  new Failure('unavailable', 'The service has reached its limit of connections. Try again in a moment.', {
    retryAfterSeconds,
  });

const tooManyOfOne = () =>
  new Failure('too_many_requests', 'Your network has too many open connections. Close some of them.', {
    retryAfterSeconds,
  });

/** Responds before there is a request, so that none is read. */
function refuse(socket: Socket, failure: Failure): void {
  const problem = problemOf(failure, '', '');
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `retry-after: ${retryAfterSeconds}`,
    'connection: close',
  ];
  socket.on('error', () => {});
  socket.once('end', () => socket.destroy());
  setTimeout(() => socket.destroy(), refusalMs).unref();
  socket.resume().end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
