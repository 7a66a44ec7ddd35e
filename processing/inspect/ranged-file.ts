import { open, type FileHandle } from 'node:fs/promises';
import type { Bytes } from '@platen/formats/bytes/bytes';
import type { FetchedFile, InputRanges, InputRange } from '../input-ranges.ts';

/** Size of one request, so that a header read in ten places is fetched once. */
export const blockBytes = 256 * 1024;
const maxRequestBytes = 8 << 20;

export interface RangedFile extends Bytes {
  readonly path: string;
  /** Whether the local copy is complete. */
  readonly isWhole: boolean;
  /** Resolves when these bytes are in the local copy. */
  readonly ensure: (offset: number, length: number) => Promise<void>;
  /** A later read opens the file again. */
  close(): Promise<void>;
}

type InputFile = Pick<InputRange, 'input' | 'member'>;

/** Opens an input file whose ranges are fetched as they are read; undefined if it does not exist. */
export async function openRangedFile(ranges: InputRanges, file: InputFile): Promise<RangedFile | undefined> {
  const first = await ranges.fetch({ ...file, offset: 0, length: blockBytes });
  return first && rangedFile(first, (offset, length) => ranges.fetch({ ...file, offset, length }));
}

function rangedFile(
  { path, size, isWhole }: FetchedFile,
  fetch: (offset: number, length: number) => Promise<unknown>,
): RangedFile {
  const blocks = new Map<number, Promise<unknown>>([[0, Promise.resolve()]]);
  let handle: Promise<FileHandle> | undefined;

  /** Fetches adjacent missing blocks in one request. */
  const ensure = async (offset: number, length: number): Promise<void> => {
    if (isWhole) return;
    const end = Math.ceil(Math.min(size, offset + length) / blockBytes);
    const needed: Promise<unknown>[] = [];
    for (let block = Math.floor(offset / blockBytes); block < end;) {
      const known = blocks.get(block);
      if (known) {
        needed.push(known);
        block++;
        continue;
      }
      const from = block;
      while (block < end && !blocks.has(block) && block - from < maxRequestBytes / blockBytes) block++;
      const pending = fetch(from * blockBytes, (block - from) * blockBytes);
      for (let one = from; one < block; one++) blocks.set(one, pending);
      needed.push(pending);
    }
    await Promise.all(needed);
  };

  return {
    path,
    size,
    isWhole,
    ensure,
    async read(offset, length) {
      const available = Math.max(0, Math.min(length, size - offset));
      if (available === 0) return new Uint8Array(0);
      await ensure(offset, available);
      const bytes = new Uint8Array(available);
      let filled = 0;
      while (filled < available) {
        const file = await (handle ??= open(path, 'r'));
        const { bytesRead } = await file.read(bytes, filled, available - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    async close() {
      const closing = handle;
      handle = undefined;
      await (await closing)?.close();
    },
  };
}
