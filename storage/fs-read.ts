import { close, fstat, open, read, type Stats } from 'node:fs';
import { asStorageFailure, errorCode } from './fs-failure.ts';
import { StorageFailure, type OpenObject } from './object-store.ts';

// Callbacks and bare descriptors, not FileHandles: this is what every tile and range request goes through,
// and a FileHandle costs a finalizer, a validation and two more promises for each read.

/** Opens a file for reads at any offset; undefined if it does not exist. */
export function openFile(path: string): Promise<OpenFile | undefined> {
  return new Promise((resolve, reject) => {
    open(path, 'r', (openError, fd) => {
      if (openError) {
        if (errorCode(openError) === 'ENOENT') resolve(undefined);
        else reject(asStorageFailure(openError));
        return;
      }
      fstat(fd, (error, stats) => {
        if (!error) {
          resolve(new OpenFile(fd, stats));
          return;
        }
        close(fd, () => {});
        reject(asStorageFailure(error));
      });
    });
  });
}

export class OpenFile implements OpenObject {
  readonly size: number;
  readonly #modifiedMs: number;
  readonly #fd: number;
  #reads = 0;
  #closed: Promise<void> | undefined;
  #lastReadEnded: (() => void) | undefined;

  constructor(fd: number, stats: Stats) {
    this.#fd = fd;
    this.size = stats.size;
    this.#modifiedMs = stats.mtimeMs;
  }

  get modifiedAt(): Date {
    return new Date(this.#modifiedMs);
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    if (this.#closed) throw new StorageFailure('unavailable', 'the object is closed');
    const byteCount = Math.max(0, Math.min(length, this.size - offset));
    if (byteCount === 0) return new Uint8Array(0);
    const bytes = Buffer.allocUnsafeSlow(byteCount);
    this.#reads++;
    try {
      let filled = 0;
      while (filled < byteCount) {
        const bytesRead = await readAt(this.#fd, bytes, filled, offset + filled);
        // Objects are complete before they get a name, so a short one was truncated from outside.
        if (bytesRead === 0) throw new StorageFailure('unavailable', 'the object is shorter than it was');
        filled += bytesRead;
      }
      return bytes;
    } finally {
      this.#reads--;
      if (this.#reads === 0) this.#lastReadEnded?.();
    }
  }

  /** A descriptor closed during a read may by then belong to another file. */
  close(): Promise<void> {
    this.#closed ??= new Promise((resolve, reject) => {
      const end = () => close(this.#fd, (error) => (error ? reject(asStorageFailure(error)) : resolve()));
      if (this.#reads === 0) end();
      else this.#lastReadEnded = end;
    });
    return this.#closed;
  }
}

function readAt(fd: number, bytes: Buffer, at: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, bytes, at, bytes.byteLength - at, position, (error, bytesRead) => {
      if (error) reject(asStorageFailure(error));
      else resolve(bytesRead);
    });
  });
}
