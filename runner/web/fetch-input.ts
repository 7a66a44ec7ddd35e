import { mkdir, rename, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { JobFailed } from '../job-failed.ts';
import { download, type Room } from './download.ts';
import type { WebAccess } from './web-access.ts';

/** A server that drips must not hold a runner for ever. */
const longestMs = 6 * 3_600_000;
/** Of what is free on the disk, which others need too. */
const shareOfDisk = 0.5;

interface Fetching {
  /** Where the file goes; made when it is not there. */
  readonly folder: string;
  readonly access: WebAccess;
  readonly signal: AbortSignal;
  /** Where what is fetched is to be stored. */
  readonly room?: Room;
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

/** Fetches an input from the web, under the name that its server gives it. @throws JobFailed */
export async function fetchInput(
  url: string,
  { folder, ...fetching }: Fetching,
): Promise<{ path: string; name: string; size: number }> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  const longest = Math.floor(bavail * bsize * shareOfDisk);
  const late = AbortSignal.timeout(longestMs);
  const signal = AbortSignal.any([fetching.signal, late]);
  const draft = join(folder, '.download');
  try {
    const { name, size } = await download({ url, path: draft, longest, ...fetching, signal });
    const path = join(folder, name);
    await rename(draft, path);
    return { path, name, size };
  } catch (error) {
    if (late.aborted && !fetching.signal.aborted)
      throw new JobFailed('cannotFetch', `“${url}” took longer than ${longestMs / 3_600_000} hours.`);
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
    throw new JobFailed('scratchFull', `The disk of the runner is too small for “${url}”.`);
  }
}
