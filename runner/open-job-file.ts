import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Flags that Windows lacks are undefined, which counts as 0. */
export const jobFileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file that a job has written for reading. The job may have put something else in its place: a link is not
 * followed, and a named pipe not waited for.
 */
export function openJobFile(path: string): Promise<FileHandle> {
  return open(path, jobFileFlags);
}
