import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

export interface SlowLink {
  readonly url: string;
  /** Bytes per second, for each connection and direction. */
  speed: number;
  /** Bytes that have come from the service. */
  received: number;
  /** Number of bytes to the service after which the link goes down. */
  downAfter: number;
  /** While down, connections break and nothing passes. */
  setDown(isDown: boolean): void;
  close(): void;
}

/** A network between the service and a runner, or a browser, that may become slow, or die and come back. */
export async function startSlowLink(port: number): Promise<SlowLink> {
  const sockets = new Set<Socket>();
  const link = { speed: Infinity, received: 0, downAfter: Infinity };
  let isDown = false;
  const server: Server = createServer((near) => {
    if (isDown) return near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    far.on('data', ({ length }: Buffer) => (link.received += length));
    near.on('data', ({ length }: Buffer) => {
      link.downAfter -= length;
      if (link.downAfter <= 0) setDown(true);
    });
    near.pipe(slowly(link)).pipe(far);
    far.pipe(slowly(link)).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as { port: number };
  const breakOff = () => sockets.forEach((socket) => socket.destroy());
  const setDown = (to: boolean) => {
    isDown = to;
    link.downAfter = Infinity;
    if (isDown) breakOff();
  };
  return Object.assign(link, {
    url: `http://127.0.0.1:${own}`,
    setDown,
    close() {
      server.close();
      breakOff();
    },
  });
}

function slowly(link: { readonly speed: number }): Transform {
  return new Transform({
    highWaterMark: 16_384,
    transform(chunk: Buffer, _encoding, done) {
      const waitMs = (chunk.length / link.speed) * 1000;
      if (waitMs < 5) done(null, chunk);
      else setTimeout(() => done(null, chunk), waitMs);
    },
  });
}
