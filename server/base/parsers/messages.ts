/** Messages to a parser process. */
export type RequestMessage =
  | { readonly type: 'parse'; readonly module: string; readonly input: unknown }
  | { readonly type: 'reply'; readonly id: number; readonly value?: unknown; readonly isFailed?: true };

/** Messages from a parser process. */
export type ParserMessage =
  | { readonly type: 'ready' }
  | CallMessage
  | { readonly type: 'answer'; readonly answer: unknown }
  | FailedMessage;

/** A call of a method of the host. */
export interface CallMessage {
  readonly type: 'call';
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** Why a file could not be parsed; `bug` for all errors that the parser does not explain. */
export interface FailedMessage {
  readonly type: 'failed';
  readonly kind: 'bytes' | 'archive' | 'bug';
  readonly message: string;
  readonly stack?: string | undefined;
}
