import { RequestFailed } from '@platen/client/client';
import type { UnfinishedUpload } from '@platen/contract/uploads';
import { CommandFailure } from '../failures.ts';
import type { Bucket } from './bucket.ts';
import { hashFile } from './hash-file.ts';
import type { LocalFile } from './list-files.ts';
import { sendFile } from './send-file.ts';

export interface UploadOptions {
  /** What happens to a file that exists with another content. */
  readonly ifExists: 'refuse' | 'overwrite' | 'skip';
  readonly unfinished: readonly UnfinishedUpload[];
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
  readonly onRetry: (reason: string) => void;
}

export interface UploadResult {
  /** `unchanged` has the same content already, `skipped` exists with any content. */
  readonly result: 'uploaded' | 'unchanged' | 'skipped';
  /** Bytes that an earlier run of the command had sent. */
  readonly resumedFrom: number;
}

/**
 * Uploads a file unless it exists.
 * @throws CommandFailure if it exists with another content
 */
export async function uploadFile(
  bucket: Bucket,
  file: LocalFile,
  options: UploadOptions,
): Promise<UploadResult> {
  const { ifExists, signal } = options;
  const stored = await bucket.find(file.key);
  if (stored && ifExists === 'skip') return { result: 'skipped', resumedFrom: 0 };
  if (stored && (await isSame(stored, file, signal))) return { result: 'unchanged', resumedFrom: 0 };
  if (stored && ifExists === 'refuse') throw exists(file);
  try {
    const overwrite = ifExists === 'overwrite';
    return { result: 'uploaded', resumedFrom: await sendFile(bucket, file, { ...options, overwrite }) };
  } catch (error) {
    if (!(error instanceof RequestFailed && error.status === 409)) throw error;
    // created meanwhile, perhaps by a request of ours whose answer was lost
    const now = await bucket.find(file.key);
    if (now && (await isSame(now, file, signal))) return { result: 'uploaded', resumedFrom: 0 };
    throw exists(file);
  }
}

async function isSame(
  stored: { size: number; sha256?: string },
  { path, size }: LocalFile,
  signal: AbortSignal,
): Promise<boolean> {
  return stored.size === size && stored.sha256 === (await hashFile(path, signal));
}

const exists = ({ key }: LocalFile): CommandFailure =>
  new CommandFailure(
    'failed',
    `“${key}” exists with another content. Replace it with --overwrite, or keep it with --skip-existing.`,
  );
