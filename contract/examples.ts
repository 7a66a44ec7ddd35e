/** What was sent to an operation, and answered. */
export interface Example {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** JSON bodies only. */
  readonly body?: unknown;
  readonly status: number;
  /** JSON and event streams only. */
  readonly reply?: unknown;
}

/** Examples by operation. */
export type Examples = Readonly<Record<string, Example>>;
