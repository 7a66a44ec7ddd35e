import { BytesError } from '@platen/formats/bytes/bytes';
import { JobFailure } from '../job-type.ts';

/** What reading a sheet has thrown, with its name. */
export function brokenSheet(name: string, error: unknown): unknown {
  if (!(error instanceof BytesError)) return error;
  return new JobFailure('brokenFile', `${name} cannot be read: ${error.message}. Upload it again.`, {
    cause: error,
  });
}
