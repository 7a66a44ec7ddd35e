import type { TarEntry } from './read-tar.ts';
import { blockBytes, paddingBytes } from './tar-block.ts';
import { createTarHeaderReader, cutOff, TarError } from './tar-header.ts';

/** Names are much shorter; anything longer is an attack. */
const maxDescriptionBytes = 64 * 1024;

/**
 * The entries of a tar archive as they arrive, each in memory. Needs the blocks of zeros that end an archive.
 * @param maxBytes the maximum size of an entry
 * @throws TarError if the archive is damaged or cut off, or an entry too large; also what the stream throws
 */
export async function* readTarStream(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<TarEntry> {
  const headers = createTarHeaderReader();
  const bytes = bufferChunks(chunks);
  let isEnded = false;
  try {
    for (;;) {
      const block = bytes.take(blockBytes) ?? (await bytes.takeLater(blockBytes));
      if (block === undefined && isEnded) return;
      if (block === undefined) throw cutOff();
      const header = headers.read(block);
      isEnded = header === undefined;
      if (header === undefined) continue;
      const { size, entry } = header;
      const max = entry ? maxBytes : maxDescriptionBytes;
      if (size > max) throw new TarError(`“${entry?.name ?? 'pax'}” is larger than ${max} bytes.`);
      const padded = size + paddingBytes(size);
      const content = (bytes.take(padded) ?? (await bytes.takeLater(padded)))?.subarray(0, size);
      if (content === undefined) throw cutOff();
      if (entry) yield { ...entry, content };
      else header.describe(content);
    }
  } finally {
    await bytes.end();
  }
}

/**
 * Cuts a stream into pieces of given lengths. A piece shares the memory of its chunk if it is in one; others are copied
 * as they arrive, so that tiny chunks do not stay in memory.
 */
function bufferChunks(chunks: AsyncIterable<Uint8Array>) {
  const stream = chunks[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const take = (length: number): Buffer | undefined => {
    if (rest.length < length) return undefined;
    const piece = rest.subarray(0, length);
    rest = rest.subarray(length);
    return piece;
  };
  return {
    /** Returns undefined if the bytes have not arrived yet. */
    take,
    /** Waits for the bytes. Returns undefined if the stream ends before. */
    async takeLater(length: number): Promise<Buffer | undefined> {
      const piece = Buffer.allocUnsafe(length);
      let bytes = 0;
      for (;;) {
        const part = take(Math.min(length - bytes, rest.length))!;
        piece.set(part, bytes);
        bytes += part.length;
        if (bytes === length) return piece;
        const { done, value } = await stream.next();
        if (done && bytes > 0) throw cutOff();
        if (done) return undefined;
        rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      }
    },
    end: () => stream.return?.(),
  };
}
