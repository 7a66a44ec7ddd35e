import type { FailureCode } from '@platen/contract/failure-codes';

/** A job that failed, with words for the person who started it. */
export class JobFailed extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.code = code;
  }
}
