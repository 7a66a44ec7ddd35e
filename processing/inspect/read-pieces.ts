import { open, type FileHandle } from 'node:fs/promises';
import type { Bytes } from '@platen/formats/bytes/bytes';
import type { Brought, InputPieces, Piece } from '../input-pieces.ts';

/** Brought at once, so that a header read in ten places is asked for once. */
export const blockBytes = 256 * 1024;
const longestPiece = 8 << 20;

export interface PiecedFile extends Bytes {
  readonly path: string;
  /** Whether all of it lies on this disk. */
  readonly isWhole: boolean;
  /** Resolves when these bytes lie at the path. */
  readonly ensure: (offset: number, length: number) => Promise<void>;
  /** Reading it again opens it again. */
  close(): Promise<void>;
}

type Of = Pick<Piece, 'input' | 'member'>;

/** A file of an input that is brought as it is read; undefined: there is none. */
export async function openPieces(pieces: InputPieces, of: Of): Promise<PiecedFile | undefined> {
  const first = await pieces.bring({ ...of, offset: 0, length: blockBytes });
  return first && pieced(first, (offset, length) => pieces.bring({ ...of, offset, length }));
}

function pieced(
  { path, size, isWhole }: Brought,
  bring: (offset: number, length: number) => Promise<unknown>,
): PiecedFile {
  const blocks = new Map<number, Promise<unknown>>([[0, Promise.resolve()]]);
  let handle: Promise<FileHandle> | undefined;

  /** Neighbouring blocks that are missing come together. */
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
      while (block < end && !blocks.has(block) && block - from < longestPiece / blockBytes) block++;
      const coming = bring(from * blockBytes, (block - from) * blockBytes);
      for (let one = from; one < block; one++) blocks.set(one, coming);
      needed.push(coming);
    }
    await Promise.all(needed);
  };

  return {
    path,
    size,
    isWhole,
    ensure,
    async read(offset, length) {
      const wanted = Math.max(0, Math.min(length, size - offset));
      if (wanted === 0) return new Uint8Array(0);
      await ensure(offset, wanted);
      const bytes = new Uint8Array(wanted);
      let filled = 0;
      while (filled < wanted) {
        const file = await (handle ??= open(path, 'r'));
        const { bytesRead } = await file.read(bytes, filled, wanted - filled, offset + filled);
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
