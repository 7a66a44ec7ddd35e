import { endOfTar, headersOf, padding } from '@platen/formats/archive/tar';
import type { ObjectStore } from '@platen/storage/object-store';
import type { ObjectFile } from './store.ts';

/** Up to here a file is read and packed in one piece. */
const smallBytes = 64 * 1024;

/** A file as it is packed. */
export interface TarEntry extends Pick<ObjectFile, 'blobId' | 'size' | 'updatedAt'> {
  /** In the archive, with `/` between folders. */
  readonly path: string;
}

/**
 * A tar archive (POSIX.1-2001, pax) of files, yielded while their bytes are read.
 * @throws Error when the bytes of a file are gone or not as many as they were: what follows would not be found any more
 */
export async function* tarOf(store: ObjectStore, files: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const file of files) {
    const { blobId, size, path } = file;
    if (size <= smallBytes) {
      const bytes = await store.read(blobId);
      if (bytes?.length !== size) throw vanished(path);
      yield Buffer.concat([headersOf(file), bytes, padding(size)]);
      continue;
    }
    const body = await store.stream(blobId);
    if (!body) throw vanished(path);
    try {
      yield headersOf(file);
      let left = size;
      for await (const bytes of body as AsyncIterable<Uint8Array>) {
        left -= bytes.length;
        yield bytes;
      }
      if (left !== 0) throw vanished(path);
    } finally {
      body.destroy(); // whoever takes the archive may go before the first byte of the file
    }
    yield padding(size);
  }
  yield endOfTar();
}

const vanished = (path: string) => new Error(`The bytes of “${path}” have gone while they were packed.`);
