import { lstatSync, readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { JobFailure } from '@platen/processing/job-type';

/** A file that a job has written. */
export interface ListedFile {
  /** Path relative to the listed folder, with `/` between folders. */
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  readonly updatedAtMs: number;
}

/** Synchronous calls take a tenth of the time; so many take a millisecond. */
const filesPerTurn = 500;

/**
 * Lists all files of a folder, always in the same order. Skips links; `readdir` with `recursive` would follow links to
 * folders.
 * @throws JobFailure `tooManyFiles`, `badName` for a name that is not UTF-8
 */
export async function listFiles(folder: string, maxFiles = Infinity): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  const waiting = [''];
  for (let prefix = waiting.pop(); prefix !== undefined; prefix = waiting.pop()) {
    const entries = readdirSync(`${folder}/${prefix}`, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const key = prefix + entry.name;
      if (key.includes('\ufffd')) throw notUtf8(key);
      if (entry.isDirectory()) waiting.push(`${key}/`);
      if (!entry.isFile()) continue;
      if (files.length === maxFiles) throw tooManyFiles(maxFiles);
      const { size, mtimeMs } = lstatSync(`${folder}/${key}`);
      files.push({ key, size, updatedAtMs: mtimeMs });
      if (files.length % filesPerTurn === 0) await setImmediate();
    }
    await setImmediate();
  }
  return files;
}

function tooManyFiles(max: number): JobFailure {
  const text = `The job wrote more than ${max.toLocaleString('en')} files. Write an archive instead.`;
  return new JobFailure('tooManyFiles', text);
}

const notUtf8 = (key: string) =>
  new JobFailure('badName', `The job wrote the file “${key}”, whose name is not valid UTF-8.`);
