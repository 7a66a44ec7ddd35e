import { Type, type Static } from 'typebox';

/** The HTTP status of each error code. Codes are stable; docs/errors.md explains them. */
export const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  misdirected: 421,
  unusable_reference: 422,
  unprocessable: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof statusOf;

/** One problem of the request at a JSON pointer (RFC 6901). */
export const ProblemDetail = Type.Object({
  pointer: Type.String({ description: 'JSON pointer into the body, or the name of a parameter' }),
  code: Type.String(),
  detail: Type.String(),
});
export type ProblemDetail = Static<typeof ProblemDetail>;

export const Warnings = Type.Array(ProblemDetail, {
  description: 'Warnings about accepted but questionable content; omitted in lists',
});

/** Problem details (RFC 9457) with a stable `code`; `reason` repeats the sentence for existing clients. */
export const Problem = Type.Object({
  type: Type.String(),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  instance: Type.String(),
  code: Type.String(),
  reason: Type.String(),
  requestId: Type.String(),
  errors: Type.Array(ProblemDetail),
});
export type Problem = Static<typeof Problem>;
