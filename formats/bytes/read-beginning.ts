import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BytesError, type Bytes } from './bytes.ts';

/** The beginning of a file, unpacked if it is gzip. */
export interface Beginning {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly isPacked: boolean;
  /** The share of the file that has been read, from 0 to 1. */
  share(): number;
  /** Whether the whole file has been read. */
  isWhole(): boolean;
}

export interface BeginningOptions {
  /** Unpacked. */
  readonly maxBytes: number;
  readonly isOver?: () => boolean;
}

const chunkBytes = 1 << 19;

/** @throws BytesError (from `chunks`) where gzip is damaged or cut off */
export async function readBeginning(
  bytes: Bytes,
  { maxBytes, isOver = () => false }: BeginningOptions,
): Promise<Beginning> {
  const [first, second] = await bytes.read(0, 2);
  const isPacked = first === 0x1f && second === 0x8b;
  let taken = 0;
  let isWhole = false;
  async function* raw(): AsyncGenerator<Uint8Array, void> {
    for (let at = 0; at < bytes.size && !isOver();) {
      const length = isPacked ? chunkBytes : Math.min(chunkBytes, maxBytes - at);
      if (length <= 0) return;
      const chunk = await bytes.read(at, length);
      if (chunk.length === 0) throw new BytesError('the file is cut off: upload it again');
      at += chunk.length;
      taken = at;
      yield chunk;
    }
    isWhole = taken === bytes.size;
  }
  async function* unpacked(): AsyncGenerator<Uint8Array, void> {
    let left = maxBytes;
    const gunzip = createGunzip({ chunkSize: chunkBytes });
    // its errors come out of the iteration
    pipeline(Readable.from(raw()), gunzip, () => {});
    try {
      for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
        yield chunk.subarray(0, left);
        left -= chunk.length;
        if (left <= 0 || isOver()) {
          isWhole &&= left >= 0 && gunzip.readableEnded;
          return;
        }
      }
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (typeof code !== 'string' || !code.startsWith('Z_')) throw error;
      // reading stopped early because time was up, so nothing is missing
      if (code === 'Z_BUF_ERROR' && taken < bytes.size) return;
      const what = code === 'Z_BUF_ERROR' ? 'the gzip file is cut off' : 'the gzip file is damaged';
      throw new BytesError(`${what}: upload it again`, { cause: error });
    } finally {
      gunzip.destroy();
    }
  }
  return {
    chunks: isPacked ? unpacked() : raw(),
    isPacked,
    share: () => (bytes.size === 0 ? 1 : taken / bytes.size),
    isWhole: () => isWhole,
  };
}

/** Reads the beginning into memory, and says what share of the file it is. */
export async function collectBeginning(
  bytes: Bytes,
  options: BeginningOptions,
): Promise<{ content: Buffer; share: number; isWhole: boolean; fault: string | undefined }> {
  const beginning = await readBeginning(bytes, options);
  const chunks: Uint8Array[] = [];
  let fault: string | undefined;
  try {
    for await (const chunk of beginning.chunks) chunks.push(chunk);
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
    fault = error.message;
  }
  return {
    content: Buffer.concat(chunks),
    share: beginning.share(),
    isWhole: beginning.isWhole() && fault === undefined,
    fault,
  };
}
