import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/**
 * Opens a file that a job has written for reading. The job may have put something else in its place: a link is not
 * followed, and a named pipe not waited for.
 */
export function openJobFile(path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants; // Windows lacks the last two
  return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
}
