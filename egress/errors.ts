import type { FailureCode } from '@platen/contract/failure-codes';

/** A request that was refused or has failed for good, with a message for the user who entered the address. */
export class EgressError extends Error {
  readonly code: FailureCode;
  /** True if the network or the other server failed, so that a later attempt may succeed. */
  readonly isTransient: boolean;

  constructor(code: FailureCode, message: string, { isTransient = false } = {}) {
    super(message);
    this.code = code;
    this.isTransient = isTransient;
  }
}

/** A failure of the network or of the other server; the request can be retried. */
export class NetworkError extends Error {
  /** A host name that does not exist will hardly appear within minutes, so retrying is useless. */
  get isPermanent(): boolean {
    return (this.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOTFOUND';
  }
}
