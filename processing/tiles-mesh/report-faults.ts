import type { FailureCode } from '@platen/contract/failure-codes';
import { JobFailure, type JobContext } from '../job-type.ts';
import type { Fault } from './tasks.ts';

/** Warns of inputs that could not be used. @throws JobFailure if the job is strict, or nothing is left */
export function reportFaults(
  all: readonly { readonly failure?: Fault | undefined }[],
  isStrict: boolean,
  { warn }: Pick<JobContext, 'warn'>,
): void {
  const failed = all.flatMap(({ failure }) => failure ?? []);
  const [first] = failed;
  if (first !== undefined && (isStrict || failed.length === all.length))
    throw new JobFailure(first.code as FailureCode, first.message);
  for (const { message } of failed) warn('unreadableModels', message);
}
