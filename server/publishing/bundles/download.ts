import { Readable } from 'node:stream';
import { writeTar, type TarPart } from '@platen/formats/tar/write-tar';
import type { Bundle, Entry } from './part.ts';

/** Streams of unknown length up to this size are buffered; longer ones are read twice. */
const inMemoryBytes = 1024 * 1024;

/** The files of a bundle in a folder of its name. @throws Failure, and whatever breaks off the bytes of a file */
export function tarOfBundle(bundle: Bundle, updatedAt: Date): AsyncGenerator<Uint8Array> {
  const folder = folderNameOf(bundle.name);
  return writeTar(partsOf());

  async function* partsOf(): AsyncGenerator<TarPart> {
    for (const part of bundle.parts)
      for await (const { file } of part.list(''))
        yield { ...(await measured(file)), path: `${folder}/${file.path}`, updatedAt };
  }
}

/** Returns a folder name that is valid on all systems. */
export function folderNameOf(name: string): string {
  const plain = name
    .replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 100);
  return plain.replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '') || 'bundle';
}

/** The header of a file says its length: that of one which unpacks to more than fits is found by unpacking it twice. */
async function measured(file: Entry): Promise<Pick<TarPart, 'size' | 'bytes'>> {
  const body = await file.open();
  if (!(body instanceof Readable)) return { size: body.length, bytes: body };
  if (file.size !== undefined) return { size: file.size, bytes: body };
  const start: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size <= inMemoryBytes) start.push(chunk);
    else start.length = 0;
  }
  if (size <= inMemoryBytes) return { size, bytes: start };
  const again = await file.open();
  return { size, bytes: again };
}
