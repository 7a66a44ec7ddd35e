import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { viewOf } from '../bytes/read-exactly.ts';
import { crc32c } from './crc32c.ts';

const checksumBytes = 4;

/** The content of an E57 without the checksums at the ends of its pages (ASTM E2807, 6.2). */
export interface E57Pages {
  /** @param offset as the file counts, checksums included @param length of content alone @throws BytesError where it is cut off or damaged */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** The offset that lies so many bytes of content behind another one. */
  after(offset: number, length: number): number;
}

export function openE57Pages(bytes: Bytes, pageBytes: number): E57Pages {
  const content = pageBytes - checksumBytes;
  return {
    async read(offset, length) {
      const start = offset % pageBytes;
      if (!Number.isSafeInteger(offset) || offset < 0 || start >= content || !(length >= 0))
        throw new BytesError('one of its offsets is damaged');
      const first = Math.floor(offset / pageBytes);
      const pages = Math.ceil((start + length) / content);
      if ((first + pages) * pageBytes > bytes.size) throw new BytesError('it is cut off');
      const raw = await bytes.read(first * pageBytes, pages * pageBytes);
      const view = viewOf(raw);
      const joined = new Uint8Array(pages * content);
      for (let page = 0; page < pages; page++) {
        const at = page * pageBytes;
        const own = raw.subarray(at, at + content);
        if (view.getUint32(at + content) !== crc32c(own))
          throw new BytesError(`the checksum of its page ${first + page + 1} is wrong: it is damaged`);
        joined.set(own, page * content);
      }
      return joined.subarray(start, start + length);
    },
    after(offset, length) {
      const behind = Math.floor(offset / pageBytes) * content + (offset % pageBytes) + length;
      return Math.floor(behind / content) * pageBytes + (behind % content);
    },
  };
}
