import { lstatSync, opendirSync } from 'node:fs';
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
const entriesPerTurn = 500;

/**
 * Lists all files of a folder, always in the same order. Skips links; `readdir` with `recursive` would follow links to
 * folders.
 * @param maxFiles also limits the folders; a job may leave millions of either, which must not fill the memory
 * @throws JobFailure `tooManyFiles`, `badName` for a name that is not UTF-8
 */
export async function listFiles(folder: string, maxFiles = Infinity): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  const waiting = [''];
  let folders = 0;
  for (let prefix = waiting.pop(); prefix !== undefined; prefix = waiting.pop()) {
    const listed = await readFolder(`${folder}/${prefix}`, maxFiles);
    folders += listed.folders.length;
    if (files.length + listed.files.length > maxFiles || folders > maxFiles) throw tooManyFiles(maxFiles);
    for (const name of listed.folders) waiting.push(`${keyOf(prefix, name)}/`);
    for (const name of listed.files) {
      const key = keyOf(prefix, name);
      const { size, mtimeMs } = lstatSync(`${folder}/${key}`);
      files.push({ key, size, updatedAtMs: mtimeMs });
      if (files.length % entriesPerTurn === 0) await setImmediate();
    }
    await setImmediate();
  }
  return files;
}

/** The sorted names of a folder; no more than one too many of either kind. */
async function readFolder(
  path: string,
  max: number,
): Promise<{ files: readonly string[]; folders: readonly string[] }> {
  const files: string[] = [];
  const folders: string[] = [];
  const folder = opendirSync(path, { bufferSize: entriesPerTurn });
  try {
    let read = 0;
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      if (entry.isFile()) files.push(entry.name);
      if (entry.isDirectory()) folders.push(entry.name);
      if (files.length > max || folders.length > max) break;
      if (++read % entriesPerTurn === 0) await setImmediate();
    }
  } finally {
    folder.closeSync();
  }
  return { files: files.sort(), folders: folders.sort() };
}

function keyOf(prefix: string, name: string): string {
  const key = prefix + name;
  if (key.includes('\ufffd')) throw notUtf8(key);
  return key;
}

function tooManyFiles(max: number): JobFailure {
  const text = `The job wrote more than ${max.toLocaleString('en')} files. Write an archive instead.`;
  return new JobFailure('tooManyFiles', text);
}

const notUtf8 = (key: string) =>
  new JobFailure('badName', `The job wrote the file “${key}”, whose name is not valid UTF-8.`);
