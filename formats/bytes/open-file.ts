import { open } from 'node:fs/promises';
import type { Bytes } from './bytes.ts';

export interface OpenFile extends Bytes {
  close(): Promise<void>;
}

/** Opens a file of the disk for reads at any offset. */
export async function openFile(path: string): Promise<OpenFile> {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  return {
    size,
    async read(offset, length) {
      const byteCount = Math.max(0, Math.min(length, size - offset));
      // not filled with zeros, as it is read over
      const bytes = new Uint8Array(Buffer.allocUnsafeSlow(byteCount).buffer);
      let filled = 0;
      while (filled < byteCount) {
        const { bytesRead } = await handle.read(bytes, filled, byteCount - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close: () => handle.close(),
  };
}
