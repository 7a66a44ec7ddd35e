import type { Readable } from 'node:stream';
import type SftpClient from 'ssh2-sftp-client';
import { JobFailure } from '@platen/processing/job-type';
import { cleanFolder } from './clean-path.ts';
import { full, refused } from './failures.ts';
import { readShort } from './read-short.ts';
import type { FileTree } from './folder-destination.ts';

export type Sftp = Awaited<ReturnType<SftpClient['connect']>>;

export interface SftpLine {
  /** @throws what `work` throws, while the connection lives; else JobFailure */
  ask<T>(work: (sftp: Sftp) => Promise<T>): Promise<T>;
  end(): void;
}

/** The chunk size that every server accepts. */
const chunkBytes = 32 * 1024;
/** Requests sent before the first answer arrives, to hide the latency of distant servers. */
const maxInFlight = 64;
const fileMode = 0o644;
const folderMode = 0o755;

const status = { noSuchFile: 2, permissionDenied: 3, failure: 4, unsupported: 8 } as const;
/** SFTP reports most failures without details. */
const what = 'to read or write data';

type Done<T> = (error: Error | null | undefined, result: T) => void;

/** Promisifies a call with a callback. */
function called<T = void>(call: (done: Done<T>) => unknown): Promise<T> {
  return new Promise((settle, fail) => {
    call((error, result) => (error ? fail(error) : settle(result)));
  });
}

export async function sftpTree(
  line: SftpLine,
  { folder, address }: { readonly folder: string; readonly address: string },
): Promise<FileTree> {
  const ask = async <T>(work: (sftp: Sftp) => Promise<T>): Promise<T> => {
    try {
      return await line.ask(work);
    } catch (error) {
      throw await failureOf(error);
    }
  };
  const failureOf = async (error: unknown): Promise<unknown> => {
    if (error instanceof JobFailure || !(error instanceof Error) || !('code' in error)) return error;
    if (error.code === status.failure && (await isFull())) return full(address);
    return refused(address, what, error);
  };
  const isFull = () =>
    line
      .ask((sftp) => called<{ f_bavail: number }>((done) => sftp.ext_openssh_statvfs(root, done as never)))
      .then(({ f_bavail: blocks }) => blocks === 0)
      .catch(() => false);
  let root = folder.startsWith('/') ? '/' : '.';
  root = await ask((sftp) => makeRoot(sftp, { folder, address }));
  const at = (path: string) => (path === '' ? root : `${root === '/' ? '' : root}/${path}`);
  return {
    address: `${address}${root}`,

    follow: (path) =>
      ask(async (sftp) => {
        const real = await realpathOf(sftp, at(path));
        if (real === undefined) return undefined;
        return real === root || real.startsWith(root === '/' ? '/' : `${root}/`) ? 'inside' : 'outside';
      }),

    makeFolder: (path) => ask((sftp) => makeFolder(sftp, at(path))),

    async removeFolder(path) {
      await ask((sftp) => called((done) => sftp.rmdir(at(path), done as never)).catch(() => {}));
    },

    list: (path) =>
      ask(async (sftp) => {
        const entries = await unlessAbsent(
          called<{ filename: string; attrs: { size: number; isDirectory(): boolean } }[]>((done) =>
            sftp.readdir(at(path), done as never),
          ),
        );
        return (entries ?? [])
          .filter(({ attrs }) => !attrs.isDirectory())
          .map(({ filename: name, attrs }) => ({ name, size: attrs.size }));
      }),

    read: (path, maxBytes) => ask((sftp) => readFile(sftp, at(path), maxBytes)),

    write: (path, body) => ask((sftp) => writeFile(sftp, at(path), body)),

    rename: (from, to) => ask((sftp) => replace(sftp, at(from), at(to))),

    async removeFile(path) {
      await ask((sftp) => removeFile(sftp, at(path)));
    },

    async close() {
      line.end();
    },
  };
}

interface Root {
  readonly folder: string;
  readonly address: string;
}

async function makeRoot(sftp: Sftp, { folder, address }: Root): Promise<string> {
  if (folder.split('/').includes('..'))
    throw new JobFailure('badDestination', 'The destination folder must not contain “..”.');
  const clean = cleanFolder(folder);
  let path = folder.startsWith('/') ? '' : ((await realpathOf(sftp, '.')) ?? '').replace(/\/$/, '');
  for (const segment of clean === '' ? [] : clean.split('/')) {
    path += `/${segment}`;
    await makeFolder(sftp, path);
  }
  const real = await realpathOf(sftp, path || '/');
  if (real !== undefined) return real;
  throw refused(address, `the folder “${clean}”`, { code: status.noSuchFile });
}

/** OpenSSH also resolves a missing path if its parent exists. */
async function realpathOf(sftp: Sftp, path: string): Promise<string | undefined> {
  const isThere = await unlessAbsent(called<object>((done) => sftp.stat(path, done as never)));
  return isThere && unlessAbsent(called<string>((done) => sftp.realpath(path, done as never)));
}

async function makeFolder(sftp: Sftp, path: string): Promise<void> {
  const attributes = { mode: folderMode };
  try {
    await called((done) => sftp.mkdir(path, attributes as never, done as never));
  } catch (error) {
    // an existing folder is reported as a general failure
    const there = await called<{ isDirectory(): boolean }>((done) => sftp.stat(path, done as never)).catch(
      () => undefined,
    );
    if (there?.isDirectory() !== true) throw error;
  }
}

async function removeFile(sftp: Sftp, path: string): Promise<void> {
  try {
    await unlessAbsent(called((done) => sftp.unlink(path, done as never)));
  } catch (error) {
    // a folder at this path is reported as a general failure
    const there = await called<{ isDirectory(): boolean }>((done) => sftp.lstat(path, done as never)).catch(
      () => undefined,
    );
    if (there?.isDirectory() !== true) throw error;
  }
}

async function readFile(sftp: Sftp, path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const stats = await unlessAbsent(
    called<{ size: number; isFile(): boolean }>((done) => sftp.lstat(path, done as never)),
  );
  if (!stats?.isFile() || stats.size > maxBytes) return undefined;
  const stream = sftp.createReadStream(path, { end: maxBytes }) as Readable;
  // the stream closes its file later, and reports a lost connection only by this event
  stream.on('error', () => {});
  return readShort(stream, maxBytes);
}

/** Sends many chunks without waiting for each answer. */
async function writeFile(sftp: Sftp, path: string, body: AsyncIterable<Uint8Array>): Promise<void> {
  const attributes = { mode: fileMode };
  const handle = await called<Buffer>((done) => sftp.open(path, 'wx', attributes as never, done as never));
  const underWay = new Set<Promise<void>>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let offset = 0;
  try {
    for await (const chunk of body) {
      for (let start = 0; start < chunk.byteLength; start += chunkBytes) {
        if (underWay.size >= maxInFlight) await Promise.race([failed.promise, ...underWay]);
        const piece = Buffer.from(chunk.subarray(start, start + chunkBytes));
        const at = offset;
        offset += piece.length;
        const sending = called((done) => sftp.write(handle, piece, 0, piece.length, at, done as never));
        underWay.add(sending);
        sending.then(() => underWay.delete(sending), failed.reject);
      }
    }
    await Promise.race([failed.promise, Promise.all(underWay)]);
  } catch (error) {
    sftp.close(handle, () => {});
    throw error;
  }
  await called((done) => sftp.close(handle, done as never)); // some servers report a full disk only here
}

/** Servers without atomic rename need two steps: for a moment there is no file. */
async function replace(sftp: Sftp, from: string, to: string): Promise<void> {
  try {
    await called((done) => sftp.ext_openssh_rename(from, to, done as never));
  } catch (error) {
    const { code, message } = error as { code?: number; message: string };
    if (code !== status.unsupported && !/not support/i.test(message)) throw error;
    await unlessAbsent(called((done) => sftp.unlink(to, done as never)));
    await called((done) => sftp.rename(from, to, done as never));
  }
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as { code?: unknown }).code === status.noSuchFile) return undefined;
    throw error;
  }
}
