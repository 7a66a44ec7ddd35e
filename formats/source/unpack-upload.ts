import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mostUnpackedBytes } from '../archive/unpack-meter.ts';
import { unpackGzip } from '../archive/unpack-gzip.ts';
import { unpackZip } from '../archive/unpack-zip.ts';
import { headBytes, recognise } from './recognise.ts';
import type { Recognised } from './recognised.ts';
import type { SourceFile } from './source.ts';

/** What was uploaded: perhaps packed, perhaps in several files. */
export interface UploadedFile {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** What the user says of its character set. */
  readonly encoding?: string;
  /** Paths of the files that belong to it, by their ending in lower case. */
  readonly related?: Readonly<Record<string, string>>;
}

export interface RecognisedFile {
  readonly file: SourceFile;
  readonly recognised: Recognised;
}

export interface UnpackedUpload {
  /** Archives only where one lies in another of its kind. */
  readonly members: readonly RecognisedFile[];
  readonly fromZip: boolean;
}

export interface UnpackUploadOptions {
  readonly signal: AbortSignal;
  /** A folder that exists. */
  readonly scratch: string;
  /** Of all that is unpacked. */
  readonly longestBytes?: number;
}

/** Unpacks gzip, what is zipped in that, and what is gzipped in a zip; no further. @throws SourceError */
export async function unpackUpload(
  { related = {}, ...uploaded }: UploadedFile,
  { signal, scratch, longestBytes = mostUnpackedBytes }: UnpackUploadOptions,
): Promise<UnpackedUpload> {
  let left = longestBytes;
  let count = 0;
  const ungzip = async (member: RecognisedFile): Promise<RecognisedFile> => {
    if (!isPacked(member, 'gzip')) return member;
    const { file } = member;
    const path = join(scratch, `content-${count++}`);
    const size = await unpackGzip(file.path, path, { signal, longestBytes: left });
    left -= size;
    // What was unpacked itself is of no more use.
    if (file.path.startsWith(scratch)) await rm(file.path);
    return recogniseFile({ ...file, path, size, name: file.name.replace(/\.gz$/i, '') });
  };
  const single = await ungzip(await recogniseFile({ ...uploaded, related }));
  if (!isPacked(single, 'zip')) return { members: [single], fromZip: false };
  const members: RecognisedFile[] = [];
  const files = await unpackZip(single.file.path, scratch, { signal, longestBytes: left });
  for (const { size } of files) left -= size;
  for (const { name, path, size } of files) {
    const file = { ...single.file, path, size, name: `${single.file.name}/${name}`, related: {} };
    members.push(await ungzip(await recogniseFile(file)));
  }
  return { members, fromZip: true };
}

function isPacked({ recognised }: RecognisedFile, packing: 'gzip' | 'zip'): boolean {
  return recognised.is === 'archive' && recognised.packing === packing;
}

export async function recogniseFile(file: SourceFile): Promise<RecognisedFile> {
  const handle = await open(file.path);
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await handle.read(head, 0, headBytes, 0);
    return { file, recognised: recognise(head.subarray(0, bytesRead), file.name) };
  } finally {
    await handle.close();
  }
}
