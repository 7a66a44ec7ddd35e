import type { Bytes } from '@platen/formats/bytes/bytes';

/** How a parser reads a file: ranges of at most a mebibyte. */
export interface FileHost {
  readonly read: (offset: number, length: number) => Promise<Uint8Array>;
}

const maxReadBytes = 1024 * 1024;

/** The host of a file, in the service. */
export function fileHost(bytes: Bytes): FileHost {
  return { read: (offset, length) => bytes.read(offset, Math.min(length, maxReadBytes)) };
}

/** The file of a host, in the parser. */
export function bytesOfHost(read: FileHost['read'], size: number): Bytes {
  return {
    size,
    async read(offset, length) {
      if (length <= maxReadBytes) return read(offset, length);
      const whole = new Uint8Array(Math.min(length, Math.max(0, size - offset)));
      for (let at = 0; at < whole.length; at += maxReadBytes) {
        const part = await read(offset + at, Math.min(maxReadBytes, whole.length - at));
        whole.set(part, at);
        if (part.length < maxReadBytes) return whole.subarray(0, at + part.length);
      }
      return whole;
    },
  };
}
