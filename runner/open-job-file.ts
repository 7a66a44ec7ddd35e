import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Opens a file that a job has written for reading; not through a link, which the job may have put in its place. */
export function openJobFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)); // Windows has no such flag
}
