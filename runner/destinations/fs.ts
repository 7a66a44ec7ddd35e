import { constants } from 'node:fs';
import { lstat, mkdir, open, opendir, realpath, rename, rmdir, unlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { BundleTarget } from '@platen/contract/runner-bundle';
import { JobFailure } from '@platen/processing/job-type';
import { cleanFolder } from './clean-path.ts';
import type { Destination } from './destination.ts';
import { codeOf, full, refused, unreachable } from './failures.ts';
import { folderDestination, type FileTree } from './folder-destination.ts';

export type FsTarget = Extract<BundleTarget, { type: 'fs' }>;

const permanentCodes = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EISDIR',
  'ENAMETOOLONG',
  'ELOOP',
  'EINVAL',
  'ENOTEMPTY',
]);
const diskFullCodes = new Set(['ENOSPC', 'EDQUOT']);
/** Readable by a web server that runs as another user. */
const fileMode = 0o644;
const folderMode = 0o755;

interface OpenOptions {
  /** Set by the operator; undefined: publishing to the runner's disk is disabled. */
  readonly publishFolder: string | undefined;
  readonly signal: AbortSignal;
}

/** @throws JobFailure */
export async function openFolder(
  target: FsTarget,
  { publishFolder, signal }: OpenOptions,
): Promise<Destination> {
  if (publishFolder === undefined)
    throw new JobFailure(
      'badDestination',
      'This runner cannot publish to folders. Its operator can enable that by PLATEN_PUBLISH_FOLDER.',
    );
  if (target.folder.split('/').some((segment) => segment === '..') || target.folder.startsWith('/'))
    throw new JobFailure('badDestination', 'The destination folder must be relative, without “..”.');
  const folder = cleanFolder(target.folder);
  const address = `the folder “${folder}”`;
  return folderDestination(await openTree(await realpathOf(publishFolder), { folder, address, signal }));
}

async function realpathOf(publishFolder: string): Promise<string> {
  try {
    return await realpath(publishFolder);
  } catch (error) {
    throw refused('The folder of PLATEN_PUBLISH_FOLDER', 'to be opened', error);
  }
}

interface Tree {
  readonly folder: string;
  readonly address: string;
  readonly signal: AbortSignal;
}

async function openTree(base: string, { folder, address, signal }: Tree): Promise<FileTree> {
  const at = (path: string) => (path === '' ? root : join(root, path));
  const ask = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw failureOf(error, address);
    }
  };
  const root = await ask(makeRoot(base, folder));
  return {
    address,
    folder,

    async follow(path) {
      const real = await ask(unless('ENOENT', unless('ENOTDIR', realpath(at(path)))));
      if (real === undefined) return undefined;
      return real === root || real.startsWith(root + sep) ? 'inside' : 'outside';
    },

    async makeFolder(path) {
      await ask(unless('EEXIST', mkdir(at(path), folderMode)));
    },

    async removeFolder(path) {
      await rmdir(at(path)).catch(() => {});
    },

    async list(path) {
      const files = [];
      const entries = await ask(unless('ENOENT', opendir(at(path))));
      for await (const entry of entries ?? [])
        if (!entry.isDirectory())
          files.push({ name: entry.name, size: await sizeOf(join(at(path), entry.name)) });
      return files;
    },

    async sizes(path, names) {
      const found = new Map<string, number>();
      for (const name of names) {
        const size = await ask(sizeOf(join(at(path), name)));
        if (size >= 0) found.set(name, size);
      }
      return found;
    },

    async read(path, maxBytes) {
      // a link at this path is not ours and may point anywhere
      const file = await ask(unless('ENOENT', open(at(path), constants.O_RDONLY | constants.O_NOFOLLOW)));
      try {
        const isShort = file && (await file.stat()).size <= maxBytes;
        return isShort ? await ask(file.readFile()) : undefined;
      } finally {
        await file?.close();
      }
    },

    async write(path, body) {
      const file = await ask(open(at(path), 'wx', fileMode));
      try {
        for await (const chunk of body) {
          signal.throwIfAborted();
          await ask(writeAll(file, chunk));
        }
        await ask(file.datasync()); // before the rename, so that a power cut leaves no empty file
      } finally {
        await file.close();
      }
    },

    rename: (from, to) => ask(rename(at(from), at(to))),

    async removeFile(path) {
      const found = await ask(unless('ENOENT', unless('ENOTDIR', lstat(at(path)))));
      if (found?.isDirectory() === false) await ask(unless('ENOENT', unlink(at(path))));
    },

    close: async () => {},
  };
}

/** Creates the folder level by level, so that no link leads out of the publish folder. */
async function makeRoot(base: string, folder: string): Promise<string> {
  let root = base;
  for (const segment of folder === '' ? [] : folder.split('/')) {
    await unless('EEXIST', mkdir(join(root, segment), folderMode));
    root = await realpath(join(root, segment));
    if (!root.startsWith(base === sep ? sep : base + sep))
      throw new JobFailure(
        'badDestination',
        `The folder “${folder}” leaves PLATEN_PUBLISH_FOLDER through a link. Nothing was written.`,
      );
  }
  return root;
}

/** The size of a regular file; -1 if there is none. */
async function sizeOf(path: string): Promise<number> {
  const found = await unless('ENOENT', lstat(path));
  return found?.isFile() ? found.size : -1;
}

async function unless<T>(code: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === code) return undefined;
    throw error;
  }
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength;)
    done += (await file.write(chunk, done, chunk.byteLength - done)).bytesWritten;
}

function failureOf(error: unknown, address: string): unknown {
  if (error instanceof JobFailure) return error;
  const code = codeOf(error);
  if (diskFullCodes.has(code)) return full(address);
  if (permanentCodes.has(code)) return refused(address, 'to read or write data', error);
  return unreachable(address, error);
}
