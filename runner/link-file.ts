import { link } from 'node:fs/promises';

/**
 * Hard-links bytes of the service into the folder of a job instead of copying them. They stay if the service removes
 * its own name, and the job's process may not write to them.
 * @returns false if linking is impossible: another disk, a file system without links, or bytes just removed
 */
export async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch {
    return false;
  }
}
