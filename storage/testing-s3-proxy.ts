import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request: its answer is passed on; is lost on the way back; or breaks off after so many bytes. */
export type Fate = 'pass' | 'lose the answer' | { readonly cutAfter: number };

/** Stands between a store and the S3 server, and does what networks do. */
export interface S3Proxy {
  readonly endpoint: string;
  /** Decides on each request; passes all at first. */
  fate: (request: IncomingMessage) => Fate;
  /** Of all requests so far: `PUT uploadId`, the method and the first word of the query. */
  readonly seen: string[];
  /** How many requests with bodies of parts were on their way at once, at most. */
  readonly mostParts: number;
  stop(): void;
}

export async function startS3Proxy(target: string): Promise<S3Proxy> {
  let parts = 0;
  let mostParts = 0;
  const seen: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const query = new URL(incoming.url!, target).searchParams;
    seen.push([incoming.method, query.keys().next().value].filter(Boolean).join(' '));
    const isPart = incoming.method === 'PUT' && query.has('partNumber');
    if (isPart) mostParts = Math.max(mostParts, ++parts);
    outgoing.once('close', () => isPart && parts--);
    const fate = proxy.fate(incoming);
    const { method, headers, url = '' } = incoming;
    const onward = request(new URL(url, target), { method, headers, setHost: false }, (answer) => {
      if (fate === 'lose the answer') {
        answer.resume().once('end', () => outgoing.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode!, answer.headers);
      let left = typeof fate === 'object' ? fate.cutAfter : Infinity;
      answer.on('data', (chunk: Buffer) => {
        if (outgoing.destroyed) return;
        const piece = chunk.subarray(0, left);
        left -= piece.length;
        if (!outgoing.write(piece)) {
          answer.pause();
          outgoing.once('drain', () => answer.resume());
        }
        if (left <= 0) outgoing.destroy();
      });
      answer.once('end', () => outgoing.end());
    });
    outgoing.once('close', () => onward.destroy());
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fate: (): Fate => 'pass',
    seen,
    get mostParts() {
      return mostParts;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  } satisfies S3Proxy as S3Proxy;
  return proxy;
}
