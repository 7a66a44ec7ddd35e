import { open } from 'node:fs/promises';

const chunkBytes = 1 << 20;

interface Range {
  readonly start: number;
  /** The end of the file if undefined. */
  readonly end?: number | undefined;
}

/**
 * The bytes of a file, or of a range of it, in order. A chunk is valid until the next is asked for: all are in the same memory,
 * while a stream of Node takes some for each.
 */
export async function* readChunks(
  path: string,
  { start, end = Infinity }: Range = { start: 0 },
): AsyncGenerator<Uint8Array, void> {
  const file = await open(path, 'r');
  try {
    const chunk = Buffer.allocUnsafeSlow(Math.max(1, Math.min(chunkBytes, end - start)));
    for (let at = start; at < end;) {
      const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, end - at), at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
