import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { persistently, type JobClient } from './job-client.ts';

const atOnce = 4;

interface Upload {
  readonly jobId: string;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** Sends every file below the output folder; its path becomes its key. */
export async function upload(client: JobClient, { jobId, folder, signal, progress }: Upload): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const waiting = paths.values();
  let done = 0;
  const sendSome = async (): Promise<void> => {
    for (const path of waiting) {
      const key = relative(folder, path).split(sep).join('/');
      await persistently(signal, () => {
        const body = Readable.toWeb(createReadStream(path)) as ReadableStream;
        return client.putRunnerJobOutput({ params: { jobId }, query: { key }, body, signal });
      });
      progress(++done, paths.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendSome));
}
