import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { maxUnpackedBytes } from '../archive/unpack-meter.ts';
import { unpackGzip } from '../archive/unpack-gzip.ts';
import { unpackZip } from '../archive/unpack-zip.ts';
import { headBytes, recognise } from './recognise.ts';
import type { Recognised } from './recognised.ts';
import type { SourceFile } from '../source/source.ts';

/** An uploaded file, possibly packed or in several parts, or a folder. */
export interface UploadedFile {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The character set selected by the user. */
  readonly encoding?: string;
  /** Paths of the files that belong to it, by their ending in lower case. */
  readonly related?: Readonly<Record<string, string>>;
}

export interface RecognisedFile {
  readonly file: SourceFile;
  readonly recognised: Recognised;
}

export interface UnpackedUpload {
  /** Contains archives only if they were nested in an archive of the same kind. */
  readonly members: readonly RecognisedFile[];
  readonly fromZip: boolean;
}

export interface UnpackUploadOptions {
  readonly signal: AbortSignal;
  /** A folder that exists. */
  readonly scratch: string;
  /** Limit of all unpacked content. */
  readonly maxBytes?: number;
}

/**
 * Unpacks gzip, a zip within gzip, and gzip within a zip; no deeper. A folder is treated like the zip of its files,
 * except that each of them may be an archive. @throws SourceError
 */
export async function unpackUpload(
  uploaded: UploadedFile,
  options: UnpackUploadOptions,
): Promise<UnpackedUpload> {
  const isFolder = (await stat(uploaded.path)).isDirectory();
  return isFolder ? unpackFolder(uploaded, options) : unpackFile(uploaded, options);
}

async function unpackFolder(
  { path: folder, name, encoding }: UploadedFile,
  options: UnpackUploadOptions,
): Promise<UnpackedUpload> {
  const members: RecognisedFile[] = [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.toSorted()) {
    const { size } = await stat(path);
    const inner = `${name}/${relative(folder, path).replaceAll(sep, '/')}`;
    const file = { path, name: inner, size, ...(encoding !== undefined && { encoding }) };
    members.push(...(await unpackFile(file, options)).members);
  }
  return { members, fromZip: true };
}

async function unpackFile(
  { related = {}, ...uploaded }: UploadedFile,
  { signal, scratch, maxBytes = maxUnpackedBytes }: UnpackUploadOptions,
): Promise<UnpackedUpload> {
  const own = await mkdtemp(join(scratch, 'file-'));
  let left = maxBytes;
  let count = 0;
  const ungzip = async (member: RecognisedFile): Promise<RecognisedFile> => {
    if (!isPacked(member, 'gzip')) return member;
    const { file } = member;
    const path = join(own, `content-${count++}`);
    const size = await unpackGzip(file.path, path, { signal, maxBytes: left });
    left -= size;
    // The packed intermediate file is no longer needed.
    if (file.path.startsWith(scratch)) await rm(file.path);
    return recogniseFile({ ...file, path, size, name: file.name.replace(/\.gz$/i, '') });
  };
  const single = await ungzip(await recogniseFile({ ...uploaded, related }));
  if (!isPacked(single, 'zip')) return { members: [single], fromZip: false };
  const members: RecognisedFile[] = [];
  const files = await unpackZip(single.file.path, own, { signal, maxBytes: left });
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
