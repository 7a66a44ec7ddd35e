import { describeFailure, exitCodes } from '../failures.ts';
import type { LocalFile } from './list-files.ts';
import type { UploadResult } from './upload-file.ts';

export interface FileReport extends Partial<UploadResult> {
  readonly path: string;
  readonly key: string;
  readonly size: number;
  readonly error?: string;
}

interface Uploader {
  /** How many files are uploaded at the same time. */
  readonly parallel: number;
  readonly signal: AbortSignal;
  readonly upload: (file: LocalFile, signal: AbortSignal) => Promise<UploadResult>;
  readonly onReport: (report: FileReport) => void;
}

/**
 * Uploads all files. One that fails does not keep the others from being uploaded, unless all would fail, as without a
 * connection: this failure is thrown when those that were running have ended.
 */
export async function uploadAll(
  files: readonly LocalFile[],
  { parallel, upload, signal, onReport }: Uploader,
): Promise<void> {
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const waiting = files.values();
  let fatal: unknown;
  const work = async () => {
    for (const file of waiting) {
      if (ended.aborted) return;
      const { path, key, size } = file;
      try {
        onReport({ path, key, size, ...(await upload(file, ended)) });
      } catch (error) {
        const { message, exitCode } = describeFailure(error);
        if (exitCode === exitCodes.failed) onReport({ path, key, size, error: message });
        else {
          fatal ??= error;
          stop.abort();
        }
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, files.length) }, work));
  if (fatal !== undefined) throw fatal;
}
