import type { ReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { withRetry, type JobClient } from './job-client.ts';
import { openJobFile } from './open-job-file.ts';

const maxConcurrent = 4;
const reportEveryMs = 250;

interface UploadOptions {
  readonly jobId: string;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** In bytes. */
  readonly progress: (done: number, total: number) => void;
}

/** Uploads every file of the output folder; its relative path becomes its key. */
export async function upload(
  client: JobClient,
  { jobId, folder, signal, progress }: UploadOptions,
): Promise<void> {
  const files = await listOutputs(folder);
  if (files.length === 0) return;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const waiting = files.values();
  const running = new Set<ReadStream>();
  let done = 0;
  const report = () => {
    const ofRunning = running.values().reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    progress(Math.min(total, done + ofRunning), total);
  };
  const sendSome = async (): Promise<void> => {
    for (const { path, size } of waiting) {
      const key = relative(folder, path).split(sep).join('/');
      await withRetry(signal, async () => {
        const file = (await openJobFile(path)).createReadStream();
        running.add(file);
        const body = Readable.toWeb(file) as ReadableStream;
        await client
          .putRunnerJobOutput({ params: { jobId }, query: { key }, body, signal })
          .finally(() => running.delete(file));
      });
      done += size;
      report();
    }
  };
  report();
  const timer = setInterval(report, reportEveryMs);
  await Promise.all(Array.from({ length: maxConcurrent }, sendSome)).finally(() => clearInterval(timer));
}

async function listOutputs(folder: string): Promise<{ path: string; size: number }[]> {
  const paths = await Array.fromAsync(listFiles(folder));
  return Promise.all(paths.map(async (path) => ({ path, size: (await lstat(path)).size })));
}

/** Skips links; `readdir` with `recursive` would follow links to folders. */
export async function* listFiles(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    if (entry.isDirectory()) yield* listFiles(path);
  }
}
