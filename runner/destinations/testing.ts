import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseEgressPolicy } from '@platen/egress/policy';

/** This machine, without TLS. */
export const openAccess = parseEgressPolicy('http 127.0.0.0/8 ::1/128');

/** What tells that nothing was asked to stop. */
export const never = (): AbortSignal => new AbortController().signal;

export async function newFolder(after: (cleanUp: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-destination-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What lies on this disk below a folder. */
export function onDisk(folder: string) {
  return {
    async look(path: string): Promise<Buffer | undefined> {
      return readFile(join(folder, path)).catch(() => undefined);
    },
    async everything(): Promise<string[]> {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .toSorted();
    },
    async place(path: string, bytes: Uint8Array): Promise<void> {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    },
  };
}
