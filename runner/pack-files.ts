import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { encodeTarFile, tarEnd } from '@platen/formats/tar/write-tar';
import type { ListedFile } from './list-files.ts';
import { jobFileFlags } from './open-job-file.ts';

const chunkBytes = 256 * 1024;

interface PackOptions {
  readonly folder: string;
  /** Bytes that were sent before. */
  readonly before: number;
  /** Called with the number of bytes packed so far. */
  readonly report: (bytes: number) => void;
}

/**
 * Packs small files as a tar archive, in chunks. Reads them synchronously, which takes a tenth of the time: the job has
 * just written them.
 * @throws Error if a file is no longer as long as it was
 */
export async function* packFiles(
  files: Iterable<ListedFile>,
  { folder, before, report }: PackOptions,
): AsyncGenerator<Uint8Array> {
  let chunk: Uint8Array[] = [];
  let bytes = 0;
  let packed = before;
  for (const { key, size } of files) {
    const parts = encodeTarFile({ path: key, size, updatedAt }, readJobFile(`${folder}/${key}`, size));
    for (const part of parts) bytes += part.length;
    chunk.push(...parts);
    packed += size;
    if (bytes < chunkBytes) continue;
    yield Buffer.concat(chunk, bytes);
    report(packed);
    chunk = [];
    bytes = 0;
  }
  yield Buffer.concat([...chunk, tarEnd]);
}

/** The service keeps no times of outputs. */
const updatedAt = new Date(0);

function readJobFile(path: string, size: number): Buffer {
  const file = openSync(path, jobFileFlags);
  try {
    const bytes = Buffer.allocUnsafe(size);
    let read = 0;
    for (let count = 1; read < size && count > 0; read += count)
      count = readSync(file, bytes, read, size - read, null);
    if (read < size || fstatSync(file).size !== size)
      throw new Error(`the output ${path} changed after the job had ended`);
    return bytes;
  } finally {
    closeSync(file);
  }
}
