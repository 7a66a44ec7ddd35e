import { copyFile, stat, truncate } from 'node:fs/promises';
import { ignore } from './files.ts';

const LIMIT_BYTES = 10 * 1024 * 1024;

/** Keeps one earlier log. PostgreSQL opens the file for appending, so it can be truncated while in use. */
export async function limitServerLog(path: string): Promise<void> {
  const found = await stat(path).catch(ignore('ENOENT'));
  if (found === undefined || found.size < LIMIT_BYTES) return;
  await copyFile(path, `${path}.1`);
  await truncate(path, 0);
}
