import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { unpackGzip } from '@platen/formats/archive/unpack-gzip';
import { maxUnpackedBytes } from '@platen/formats/archive/unpack-meter';
import { unpackZip } from '@platen/formats/archive/unpack-zip';
import { explainSourceError } from '../features/explain-source-error.ts';
import { JobFailure, type JobContext, type JobInput } from '../job-type.ts';
import { isSidecar, joinSidecars } from './sidecars.ts';

export interface UnpackOptions {
  /** Of the names of files in folders and archives that may be sheets. */
  readonly sheets: RegExp;
  /** For unpacked files; it is emptied first. */
  readonly folder: string;
}

/**
 * The sheets among the inputs, in their order, with the files beside them: those in folders and zip files sorted by name, and
 * gzip unpacked. What else lies in a folder or archive is passed over. @throws JobFailure
 */
export async function unpackInputs(
  inputs: readonly JobInput[],
  { sheets, folder }: UnpackOptions,
  { signal, log }: JobContext,
): Promise<JobInput[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  let left = maxUnpackedBytes;
  let count = 0;
  const ungzip = async (input: JobInput, packing = packingOf(input.path)): Promise<JobInput> => {
    if (packing !== 'gzip') return input;
    const path = join(folder, `unpacked-${count++}`);
    const size = await unpackGzip(input.path, path, { signal, maxBytes: left });
    left -= size;
    return { ...input, path, size, name: input.name.replace(/\.gz$/i, '') };
  };
  const unpack = async (input: JobInput): Promise<JobInput[]> => {
    const packing = packingOf(input.path);
    if (packing !== 'zip') return [await ungzip(input, packing)];
    const own = join(folder, `zip-${count++}`);
    await mkdir(own);
    const members = await unpackZip(input.path, own, { signal, maxBytes: left });
    for (const { size } of members) left -= size;
    return Promise.all(members.map((member) => ungzip(memberOf(input, member.name, member))));
  };
  const filesOf = async (input: JobInput): Promise<JobInput[]> => {
    signal.throwIfAborted();
    const isFolder = statSync(input.path).isDirectory();
    const packed = isFolder ? await filesOfFolder(input) : [input];
    const files: JobInput[] = [];
    for (const one of packed)
      files.push(
        ...(await unpack(one).catch((error: unknown) => {
          signal.throwIfAborted();
          throw explainSourceError(error, one.name);
        })),
      );
    if (files.length === 1 && !isFolder) return files;
    const used = files.filter((file) => sheets.test(file.name) || isSidecar(file));
    if (used.every(isSidecar))
      throw new JobFailure(
        'emptyInput',
        `${input.name} contains no sheet: none of its files is one by its name.`,
      );
    if (used.length < files.length)
      log('info', `${files.length - used.length} other files of ${input.name} are passed over.`);
    return used;
  };
  const files: JobInput[] = [];
  for (const input of inputs) files.push(...(await filesOf(input)));
  return joinSidecars(files);
}

async function filesOfFolder(folder: JobInput): Promise<JobInput[]> {
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files: JobInput[] = [];
  for (const path of paths.toSorted()) {
    const name = relative(folder.path, path).replaceAll(sep, '/');
    files.push(memberOf(folder, name, { path, size: statSync(path).size }));
  }
  return files;
}

/** A file of a folder or archive. */
function memberOf(
  { name: parent, content, contents, crs }: JobInput,
  name: string,
  { path, size }: { readonly path: string; readonly size: number },
): JobInput {
  const own = contents?.[name] ?? (contents || content === undefined ? undefined : `${content}/${name}`);
  return {
    path,
    size,
    name: `${parent}/${name}`,
    ...(own !== undefined && { content: own }),
    ...(crs !== undefined && { crs }),
  };
}

function packingOf(path: string): 'zip' | 'gzip' | undefined {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(4);
    readSync(file, head, 0, 4, 0);
    if (head.readUInt32BE() === 0x504b0304) return 'zip';
    return head.readUInt16BE() === 0x1f8b ? 'gzip' : undefined;
  } finally {
    closeSync(file);
  }
}
