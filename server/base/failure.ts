import type { ErrorCode, ProblemDetail } from '@platen/contract/error';

interface FailureOptions extends ErrorOptions {
  readonly errors?: readonly ProblemDetail[];
  readonly retryAfterSeconds?: number;
  readonly actorId?: string;
}

/** A failure that the caller may see. All other errors are bugs and stay internal. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly ProblemDetail[];
  readonly retryAfterSeconds: number | undefined;
  /** The user who was refused, if the request does not know its caller yet. */
  readonly actorId: string | undefined;

  constructor(code: ErrorCode, message: string, options: FailureOptions = {}) {
    super(message, options);
    this.code = code;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.actorId = options.actorId;
  }
}

/** A request with valid JSON that is wrong at one place of its body. */
export function invalidAt(pointer: string, detail: string, code = 'invalid'): Failure {
  return new Failure('invalid', `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] });
}

/** A body that refers to something unusable: absent, in another project, or of the wrong type. */
export function unusableAt(pointer: string, detail: string): Failure {
  return new Failure('unusable_reference', `${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'unusable_reference', detail }],
  });
}

export function notFound(what: string): Failure {
  return new Failure('not_found', `There is no such ${what}.`);
}

/** An update that changed nothing because If-Match names an older revision. */
export function changedMeanwhile(): Failure {
  return new Failure(
    'precondition_failed',
    'The resource has changed since you read it: the ETag in If-Match is no longer current. Read it again.',
  );
}
