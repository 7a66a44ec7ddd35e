/** The methods by which a parser asks the service for bytes. Their arguments and results are copied. */
export type Host = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** The function that the module of a task exports as `parse`. */
export type Parse = (input: never, host: never) => unknown;

export type InputOf<P extends Parse> = Parameters<P>[0];
export type HostOf<P extends Parse> = Parameters<P>[1] extends undefined ? object : Parameters<P>[1];
export type AnswerOf<P extends Parse> = Awaited<ReturnType<P>>;

/**
 * A way to parse a file, by the module that does it. The module runs in a process of its own, and imports only what
 * parses. Its answer is bounded: whatever the service receives, it has to copy.
 */
export interface ParseTask<P extends Parse> {
  readonly module: URL;
  /** Memory of an answer in bytes, for answers that are kept. */
  readonly weightOf: (answer: AnswerOf<P>) => number;
}

const smallAnswer = 4096;

export function parseTask<P extends Parse>(
  module: URL,
  weightOf: ParseTask<P>['weightOf'] = () => smallAnswer,
): ParseTask<P> {
  return { module, weightOf };
}
