import { open, rm } from 'node:fs/promises';
import type { UnpackMeter } from './unpack-meter.ts';

export interface WriteUnpackedOptions {
  readonly meter: UnpackMeter;
  readonly signal: AbortSignal;
}

/** Writes all chunks to a new file, or leaves none. @returns its size in bytes */
export async function writeUnpacked(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { meter, signal }: WriteUnpackedOptions,
): Promise<number> {
  const file = await open(path, 'wx');
  let size = 0;
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      meter.count(chunk.length);
      await file.writeFile(chunk);
      size += chunk.length;
    }
    await file.close();
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
  return size;
}
