import { Readable } from 'node:stream';
import { RequestFailed } from '@platen/client/client';
import { maxOutputFiles, maxStreamedFileBytes } from '@platen/contract/runner-outputs';
import { JobFailure } from '@platen/processing/job-type';
import { withRetry, type JobClient } from './job-client.ts';
import { listFiles, type ListedFile } from './list-files.ts';
import { packFiles } from './pack-files.ts';
import { uploadLarge } from './upload-large.ts';

interface UploadOptions {
  readonly jobId: string;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** In bytes. */
  readonly progress: (done: number, total: number) => void;
}

/**
 * Uploads every file of the output folder; its relative path becomes its key.
 * @throws JobFailure `badName`, `tooManyFiles`
 */
export async function upload(
  client: JobClient,
  { jobId, folder, signal, progress }: UploadOptions,
): Promise<void> {
  const files = await listFiles(folder, maxOutputFiles);
  if (files.length === 0) return;
  const total = sumOf(files);
  const [small, large] = [
    files.filter(({ size }) => size <= maxStreamedFileBytes),
    files.filter(({ size }) => size > maxStreamedFileBytes),
  ];
  const report = (bytes: number) => progress(bytes, total);
  report(0);
  const uploading = { client, jobId, folder, signal, report };
  try {
    await uploadSmall(small, uploading);
    await uploadLarge(large, { ...uploading, before: sumOf(small) });
  } catch (error) {
    throw asJobFailure(error);
  }
  report(total);
}

const sumOf = (files: readonly ListedFile[]) => files.reduce((sum, { size }) => sum + size, 0);

export interface Uploading {
  readonly client: JobClient;
  readonly jobId: string;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Called with the number of bytes sent so far. */
  readonly report: (bytes: number) => void;
}

/** Sends all files in one request. After an interruption it sends those that the service does not have yet. */
async function uploadSmall(
  files: readonly ListedFile[],
  { client, jobId, folder, signal, report }: Uploading,
): Promise<void> {
  if (files.length === 0) return;
  const params = { jobId };
  let isRetry = false;
  await withRetry(signal, async () => {
    const first = isRetry ? (await client.getRunnerJobOutputs({ params, signal })).files : 0;
    isRetry = true;
    if (first === files.length) return;
    const archive = packFiles(files.slice(first), { folder, report, before: sumOf(files.slice(0, first)) });
    const body = Readable.toWeb(Readable.from(archive)) as ReadableStream;
    await client.putRunnerJobOutputs({ params, query: { first }, body, signal });
  });
}

/** The service names the codes of failures that are the job's own. */
function asJobFailure(error: unknown): unknown {
  if (!(error instanceof RequestFailed)) return error;
  const code = (['badName', 'tooManyFiles'] as const).find((one) => error.errors.some((e) => e.code === one));
  return code === undefined ? error : new JobFailure(code, error.message);
}
