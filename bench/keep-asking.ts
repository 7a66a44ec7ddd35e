import { connect } from 'node:net';

/** One keep-alive connection on loopback, for one JSON request at a time, with the least parsing that finds a reply's end. */
export interface Connection {
  /** @throws Error when the reply is not a 2xx */
  post(path: string, token: string, body: string): Promise<unknown>;
  end(): void;
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  let waiting: PromiseWithResolvers<unknown> | undefined;
  let got = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    got += text;
    const end = got.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(got)?.[1] ?? 0);
    if (got.length < end + 4 + length) return; // these replies are ASCII
    const [status, body] = [got.slice(9, 12), got.slice(end + 4)];
    got = '';
    if (status.startsWith('2')) waiting?.resolve(body === '' ? undefined : JSON.parse(body));
    else waiting?.reject(new Error(`The service answered ${status}: ${body.slice(0, 500)}`));
  });
  socket.on('error', (error) => waiting?.reject(error));
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    post(path, token, body) {
      waiting = Promise.withResolvers();
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      return waiting.promise;
    },
    end: () => socket.destroy(),
  };
}
