import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/** A gzip file that is cut off or damaged. */
export class DamagedGzip extends Error {
  override readonly name = 'DamagedGzip';
}

export interface OpenOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes of the file read so far, before unpacking. */
  readonly onRead?: (bytes: number) => void;
}

const chunkBytes = 1 << 18;

/** The content of a file, unpacked if it is gzip, whatever its name. @throws DamagedGzip */
export async function* openBytes(
  path: string,
  { signal, onRead }: OpenOptions,
): AsyncGenerator<Uint8Array, void> {
  // Asked first: a stream that waits without a listener would throw an abort at nobody.
  const packed = await isGzip(path, signal);
  const file = createReadStream(path, { highWaterMark: chunkBytes, signal });
  let read = 0;
  const count = (chunk: Buffer): void => {
    read += chunk.length;
    onRead?.(read);
  };
  if (!packed) {
    for await (const chunk of file) {
      count(chunk as Buffer);
      yield chunk as Buffer;
    }
    return;
  }
  const unpack = createGunzip({ chunkSize: chunkBytes });
  file.on('data', (chunk) => count(chunk as Buffer));
  file.on('error', (error) => unpack.destroy(error));
  file.pipe(unpack);
  try {
    for await (const chunk of unpack) yield chunk as Buffer;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code?.startsWith('Z_') !== true) throw error;
    throw new DamagedGzip('the gzip file is cut off or damaged', { cause: error });
  } finally {
    file.destroy();
    unpack.destroy();
  }
}

async function isGzip(path: string, signal: AbortSignal): Promise<boolean> {
  let start = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { end: 1, signal }))
    start = Buffer.concat([start, chunk as Buffer]);
  return start[0] === 0x1f && start[1] === 0x8b;
}
