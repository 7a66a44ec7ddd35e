import type { ReplyOf } from '@platen/contract/endpoint';
import type { BundleFile, runnerBundleEndpoints } from '@platen/contract/runner-bundle';
import { printable } from '../destinations/clean-path.ts';
import { withRetry, type JobClient } from '../job-client.ts';
import { JobFailure } from '@platen/processing/job-type';
import { isCarried } from './records.ts';

/** The whole list is held in memory, to find files that no longer belong to the bundle. */
const maxFiles = 1_000_000;

type Page = ReplyOf<typeof runnerBundleEndpoints.getRunnerJobBundle>;

interface ListOptions {
  readonly client: JobClient;
  readonly jobId: string;
  readonly signal: AbortSignal;
}

/** All files of the bundle. @throws JobFailure if a path is unsafe or occurs twice */
export async function listBundle({ client, jobId, signal }: ListOptions): Promise<BundleFile[]> {
  const found: BundleFile[] = [];
  const paths = new Set<string>();
  const ask = (cursor: string) =>
    withRetry(signal, () => client.getRunnerJobBundle({ params: { jobId }, query: { cursor }, signal }));
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: Page = await ask(cursor);
    for (const file of page.files) {
      if (!isCarried(file.path) || paths.has(file.path))
        throw new JobFailure(
          'badName',
          `“${printable(file.path)}” is not a valid path for a file of a bundle.`,
        );
      paths.add(file.path);
      found.push(file);
    }
    if (found.length > maxFiles)
      throw new JobFailure('tooLarge', `The bundle has more than ${maxFiles} files, which is the maximum.`);
    cursor = page.next;
  }
  return found;
}
