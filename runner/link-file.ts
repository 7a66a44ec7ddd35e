import { link } from 'node:fs/promises';

/**
 * Gives bytes of the service a second name in the folder of a job, instead of copying them. They stay when the service
 * removes its own; and as neither name may be written to by the job's process, it can only read them.
 * @returns false where that is not possible: another disk, a file system without links, bytes that have just gone
 */
export async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch {
    return false;
  }
}
