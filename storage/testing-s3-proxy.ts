import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request: the response is passed on, lost, or cut off after some bytes. */
export type Fault = 'pass' | 'lose the answer' | { readonly cutAfter: number };

/** Proxy between a store and the S3 server that simulates network faults. */
export interface S3Proxy {
  readonly endpoint: string;
  /** Decides for each request; passes all by default. */
  faultOf: (request: IncomingMessage) => Fault;
  /** Log of all requests, such as `PUT uploadId`: the method and the first query parameter. */
  readonly seen: string[];
  /** Peak number of concurrent part uploads. */
  readonly maxParallelParts: number;
  stop(): void;
}

export async function startS3Proxy(target: string): Promise<S3Proxy> {
  let parts = 0;
  let maxParallel = 0;
  const seen: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const query = new URL(incoming.url!, target).searchParams;
    seen.push([incoming.method, query.keys().next().value].filter(Boolean).join(' '));
    const isPart = incoming.method === 'PUT' && query.has('partNumber');
    if (isPart) maxParallel = Math.max(maxParallel, ++parts);
    outgoing.once('close', () => isPart && parts--);
    const fate = proxy.faultOf(incoming);
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
    faultOf: (): Fault => 'pass',
    seen,
    get maxParallelParts() {
      return maxParallel;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  } satisfies S3Proxy as S3Proxy;
  return proxy;
}
