import { mkdir, rename, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { download, type DownloadQuota } from '@platen/egress/download';
import type { EgressPolicy } from '@platen/egress/policy';
import { JobFailure } from '@platen/processing/job-type';
import { asJobFailure } from './transient-error.ts';

/** Bounds servers that send very slowly, which would hold the runner for ever. */
const maxMs = 6 * 3_600_000;
/** A download may take this share of the free disk space. */
const shareOfDisk = 0.5;

interface FetchOptions {
  /** The file is written here; created if missing. */
  readonly folder: string;
  readonly policy: EgressPolicy;
  readonly signal: AbortSignal;
  readonly quota?: DownloadQuota;
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

/** Downloads an input, named as its server names it. @throws JobFailure */
export async function fetchInput(
  url: string,
  { folder, ...options }: FetchOptions,
): Promise<{ path: string; name: string; size: number }> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  const maxBytes = Math.floor(bavail * bsize * shareOfDisk);
  const timeout = AbortSignal.timeout(maxMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  const draft = join(folder, '.download');
  try {
    const { name, size } = await download({ url, path: draft, maxBytes, ...options, signal });
    const path = join(folder, name);
    await rename(draft, path);
    return { path, name, size };
  } catch (error) {
    if (timeout.aborted && !options.signal.aborted)
      throw new JobFailure('cannotFetch', `“${url}” took longer than ${maxMs / 3_600_000} hours.`);
    if ((error as { code?: string }).code !== 'ENOSPC') throw asJobFailure(error);
    throw new JobFailure('scratchFull', `The disk of the runner is too small for “${url}”.`);
  }
}
