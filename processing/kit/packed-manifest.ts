import { statSync } from 'node:fs';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { JobContext } from '../job-type.ts';
import { openScratchFile, readInto, readRange, type FileRange } from './scratch-file.ts';

/** A manifest with pieces of data that an update goes on from: the pieces, then the value as packed JSON, then its length. */
export interface PackedManifest<T> {
  readonly value: T;
  /** Undefined where there was none. */
  readonly pieces: readonly (FileRange | undefined)[];
}

interface Content<T> {
  readonly value: T;
  /** Bytes of each piece; 0: there is none. */
  readonly lengths: readonly number[];
}

const footerBytes = 8;

/** @param path of the file, which does not exist yet */
export function writePackedManifest<T>(path: string, { value, pieces }: PackedManifest<T>): void {
  const file = openScratchFile(path, 1 << 20);
  try {
    for (const piece of pieces) if (piece) for (const part of readRange(piece)) file.append(part);
    const lengths = pieces.map((piece) => (piece ? piece.end - piece.start : 0));
    const content: Content<T> = { value, lengths };
    const packed = zstdCompressSync(JSON.stringify(content));
    const footer = new DataView(new ArrayBuffer(footerBytes));
    footer.setFloat64(0, packed.length);
    file.append(packed);
    file.append(new Uint8Array(footer.buffer));
    file.flush();
  } finally {
    file.close();
  }
}

/**
 * Reads the manifest of the run whose results this job updates. Nobody has changed it since: the service compares its
 * hash.
 * @returns undefined if there is none
 */
export function readPackedManifest<T>({ former }: Pick<JobContext, 'former'>): PackedManifest<T> | undefined {
  if (!former) return undefined;
  const { path } = former.manifest;
  const { size } = statSync(path);
  const start = size - footerBytes;
  const length = new DataView(readBytes({ path, start, end: size }).buffer).getFloat64(0);
  const packed = readBytes({ path, start: start - length, end: start });
  const { value, lengths } = JSON.parse(zstdDecompressSync(packed).toString()) as Content<T>;
  let at = 0;
  const pieces = lengths.map((bytes) => {
    at += bytes;
    return bytes === 0 ? undefined : { path, start: at - bytes, end: at };
  });
  return { value, pieces };
}

function readBytes(range: FileRange): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(range.end - range.start);
  readInto(bytes, 0, range);
  return bytes;
}
