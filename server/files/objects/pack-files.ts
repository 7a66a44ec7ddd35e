import { writeTar, type TarPart } from '@platen/formats/tar/write-tar';
import type { ObjectStore } from '@platen/storage/object-store';
import type { ObjectFile } from './store.ts';

/** Files up to this size are read into memory and packed as one chunk. */
const maxInMemoryBytes = 64 * 1024;

/** A file to pack. */
export interface PackedFile extends Pick<ObjectFile, 'blobId' | 'size' | 'updatedAt'> {
  /** Path in the archive, with `/` between folders. */
  readonly path: string;
}

/**
 * Packs stored files as a tar archive while their bytes are read.
 * @throws Error if the bytes of a file are missing or their number has changed: the archive cannot be continued
 */
export function packFiles(store: ObjectStore, files: AsyncIterable<PackedFile>): AsyncGenerator<Uint8Array> {
  return writeTar(partsOf());

  async function* partsOf(): AsyncGenerator<TarPart> {
    for await (const { path, blobId, size, updatedAt } of files) {
      const isSmall = size <= maxInMemoryBytes;
      const bytes = await (isSmall ? store.read(blobId) : store.stream(blobId));
      if (!bytes) throw new Error(`The bytes of “${path}” were deleted while they were being packed.`);
      yield { path, size, updatedAt, bytes };
    }
  }
}
