import { blockBytes, paddingBytes } from './tar-block.ts';
import { createTarHeaderReader, cutOff, type TarEntryType } from './tar-header.ts';

export interface TarEntry {
  /** The name in the archive, which may point to any path. */
  readonly name: string;
  readonly type: TarEntryType;
  /** Shares the memory of the archive. */
  readonly content: Buffer;
}

/**
 * The entries of a tar archive in memory: ustar with pax headers, and long names as GNU tar writes them.
 * @throws TarError if it is damaged or truncated
 */
export function* readTar(tar: Buffer): Generator<TarEntry> {
  const headers = createTarHeaderReader();
  for (let at = 0; at < tar.length;) {
    const block = tar.subarray(at, at + blockBytes);
    if (block.length < blockBytes) throw cutOff();
    at += blockBytes;
    const header = headers.read(block);
    if (header === undefined) continue;
    const { size } = header;
    const content = tar.subarray(at, at + size);
    at += size + paddingBytes(size);
    if (at > tar.length) throw cutOff();
    if (header.entry) yield { ...header.entry, content };
    else header.describe(content);
  }
}
