import { randomInt } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { EventStream } from '../base/event-stream.ts';

interface Options {
  /** Returns the text that keeps the connection alive. */
  readonly heartbeat: () => string;
  readonly onEnd: () => void;
}

export const eventStreamType = 'text/event-stream; charset=utf-8';

const heartbeatMs = 15_000;
/** Spread, so that clients do not reconnect all at once after a restart. */
const retryMs = { min: 1_000, max: 3_000 };

/** Opens a stream of server-sent events to one client. */
export function openEventStream(reply: FastifyReply, { heartbeat, onEnd }: Options): EventStream {
  const { raw } = reply;
  reply.hijack();
  raw.on('error', () => {}); // the client has disconnected; `close` follows
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': eventStreamType,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'close',
  });
  raw.write(`retry: ${randomInt(retryMs.min, retryMs.max)}\n\n`);
  const timer = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(heartbeat());
  }, heartbeatMs);
  let isOpen = true;
  const over = () => {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(timer);
    onEnd();
  };
  raw.once('close', over);
  if (raw.destroyed) over(); // the client disconnected during authorisation
  return {
    get isOpen() {
      return isOpen;
    },
    async write(text) {
      if (!isOpen || raw.write(text)) return;
      await new Promise<void>((resolve) => {
        const done = () => {
          raw.off('drain', done).off('close', done);
          resolve();
        };
        raw.once('drain', done).once('close', done);
      });
    },
    end() {
      if (!isOpen) return;
      if (raw.writableNeedDrain) raw.destroy();
      else raw.end();
      over();
    },
  };
}
