import { request, type IncomingHttpHeaders } from 'node:http';

const chunk = Buffer.alloc(2 ** 20, 'platen');

export interface Sending {
  readonly port: number;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A whole number of MiB. */
  readonly bytes: number;
  /** Around the bytes, as a form has it. */
  readonly head?: string;
  readonly tail?: string;
}

interface Sent {
  /** From the first byte sent to the answer. */
  readonly milliseconds: number;
  readonly headers: IncomingHttpHeaders;
}

/** Sends as fast as the other side takes it. @throws Error unless it is answered by 201 or 204 */
export function send({ port, method, path, headers, bytes, head = '', tail = '' }: Sending): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const length = bytes + Buffer.byteLength(head) + Buffer.byteLength(tail);
    const outgoing = request({ port, path, method, headers: { ...headers, 'content-length': length } });
    outgoing.on('error', reject).on('response', (reply) => {
      reply.resume();
      reply.on('end', () => {
        const milliseconds = performance.now() - start;
        if (reply.statusCode === 201 || reply.statusCode === 204)
          resolve({ milliseconds, headers: reply.headers });
        else reject(new Error(`${method} ${path} was answered by ${reply.statusCode}.`));
      });
    });
    if (head !== '') outgoing.write(head);
    let left = bytes / chunk.length;
    const pump = () => {
      while (left > 0) {
        left--;
        if (!outgoing.write(chunk)) return void outgoing.once('drain', pump);
      }
      outgoing.end(tail);
    };
    pump();
  });
}

export interface Target {
  readonly port: number;
  readonly token: string;
  /** Of the data bucket. */
  readonly path: string;
}

/** One file as form data. */
export async function sendForm({ port, token, path }: Target, name: string, bytes: number): Promise<number> {
  const { milliseconds } = await send({
    port,
    method: 'POST',
    path: `${path}/upload?overwrite=true`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
    bytes,
    // the name is content, too: equal files would be stored once
    head: `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n${name.padEnd(20)}`,
    tail: '\r\n--b--\r\n',
  });
  return milliseconds;
}

/** One file by tus, in two requests; the second brings all bytes. */
export async function sendTus({ port, token, path }: Target, name: string, bytes: number): Promise<number> {
  const common = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' };
  const head = name.padEnd(20);
  const begun = await send({
    port,
    method: 'POST',
    path: `${path}/tus`,
    headers: {
      ...common,
      'upload-length': String(bytes + head.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')},overwrite dHJ1ZQ==`,
    },
    bytes: 0,
  });
  const { milliseconds } = await send({
    port,
    method: 'PATCH',
    path: begun.headers.location!,
    headers: { ...common, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    bytes,
    head,
  });
  return begun.milliseconds + milliseconds;
}
