import type { Bytes } from '../bytes/bytes.ts';
import { unpackedBytes } from '../bytes/unpacked-bytes.ts';
import { parseAt } from '../json/scan-members.ts';

export type FindFile = (path: string) => Promise<Bytes | undefined>;

const maxJsonBytes = 64 << 20;

/**
 * Reads a document of a scene layer: with .gz in a package, plain in a folder, and as index.json like a service stores
 * it. `undefined`: missing; `{ value: undefined }`: damaged. @throws BytesError
 */
export async function readDocument(
  find: FindFile,
  path: string,
): Promise<{ readonly value: unknown } | undefined> {
  for (const name of [`${path}.json.gz`, `${path}.json`, `${path}/index.json.gz`, `${path}/index.json`]) {
    const found = await find(name);
    if (found === undefined) continue;
    const bytes = await unpackedBytes(found, maxJsonBytes);
    if (bytes.size > maxJsonBytes) return { value: undefined };
    const text = await bytes.read(0, bytes.size);
    return { value: parseAt(text, text[0] === 0xef ? 3 : 0, text.length) };
  }
  return undefined;
}

/** A resource other than JSON; undefined if it is missing. @throws BytesError */
export async function readResource(
  find: FindFile,
  path: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  for (const name of [`${path}.bin.gz`, `${path}.bin`, path]) {
    const found = await find(name);
    if (found === undefined) continue;
    const bytes = await unpackedBytes(found, maxBytes);
    return bytes.read(0, Math.min(bytes.size, maxBytes));
  }
  return undefined;
}
