import { PassThrough, Readable } from 'node:stream';
import type { Client } from 'basic-ftp';
import { JobFailure } from '@platen/processing/job-type';
import { cleanFolder } from './clean-path.ts';
import { readShort } from './read-short.ts';
import type { FileTree } from './folder-destination.ts';
import { isAbsent, type FtpLines } from './ftp-lines.ts';

interface Root {
  readonly folder: string;
  readonly address: string;
}

/** FTP does not report links, so the server has to guard what they lead to. */
export async function ftpTree(lines: FtpLines, { folder, address }: Root): Promise<FileTree> {
  if (folder.split('/').includes('..'))
    throw new JobFailure('badDestination', 'The destination folder must not contain “..”.');
  const root = await lines.ask((client) => makeRoot(client, folder));
  const at = (path: string) => (path === '' ? root || '/' : `${root}/${path}`);
  const remove = (path: string) =>
    lines.ask(async (client) => {
      await unlessAbsent(client.send(`DELE ${at(path)}`));
    });
  return {
    address: `${address}${root}`,

    follow: (path) =>
      lines.ask(async (client) =>
        (await unlessAbsent(client.cd(at(path)))) === undefined ? undefined : 'inside',
      ),

    makeFolder: (path) =>
      lines.ask(async (client) => {
        await makeOne(client, at(path));
      }),

    async removeFolder(path) {
      await lines
        .ask(async (client) => {
          await client.cd('/'); // the current folder cannot be removed
          await client.send(`RMD ${at(path)}`);
        })
        .catch(() => {});
    },

    list: (path) =>
      lines.ask(async (client) => {
        if ((await unlessAbsent(client.cd(at(path)))) === undefined) return [];
        const entries = await client.list(); // lists the current folder, as servers may take a path for options
        return entries.filter(({ isDirectory }) => !isDirectory).map(({ name, size }) => ({ name, size }));
      }),

    read: (path, maxBytes) =>
      lines.ask(async (client) => {
        const size = await unlessAbsent(client.size(at(path)));
        if (size === undefined || size > maxBytes) return undefined;
        const sink = new PassThrough();
        const [bytes] = await Promise.all([
          readShort(sink as AsyncIterable<Uint8Array>, maxBytes),
          client.downloadTo(sink, at(path)).catch((error: unknown) => sink.destroy(error as Error)),
        ]);
        return bytes;
      }),

    async write(path, body) {
      let broken: { readonly error: unknown } | undefined;
      async function* source() {
        try {
          yield* body;
        } catch (error) {
          broken = { error };
          throw error;
        }
      }
      try {
        await lines.ask((client) =>
          client.uploadFrom(Readable.from(source(), { objectMode: false }), at(path)),
        );
      } catch (error) {
        throw broken ? broken.error : error; // an error of the source, not of the connection
      }
    },

    rename: (from, to) =>
      lines.ask(async (client) => {
        try {
          await client.rename(at(from), at(to));
        } catch (error) {
          if (!isAbsent(error)) throw error;
          await unlessAbsent(client.send(`DELE ${at(to)}`)); // servers that replace no file have none for a moment
          await client.rename(at(from), at(to));
        }
      }),

    removeFile: remove,

    async close() {
      lines.end();
    },
  };
}

async function makeRoot(client: Client, folder: string): Promise<string> {
  let root = folder.startsWith('/') ? '' : (await client.pwd()).replace(/\/$/, '');
  for (const segment of cleanFolder(folder).split('/').filter(Boolean)) {
    root += `/${segment}`;
    await makeOne(client, root);
  }
  return root;
}

async function makeOne(client: Client, path: string): Promise<void> {
  try {
    await client.send(`MKD ${path}`);
  } catch (error) {
    if ((await unlessAbsent(client.cd(path))) === undefined) throw error;
  }
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
