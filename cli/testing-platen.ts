import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from './run-command.ts';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Typing {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; undefined: empty. */
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** Called with what is written to standard output. */
  readonly onOutput?: (text: string) => void;
}

/** Runs a command in this process, as `platen` would. */
export async function platen(
  words: readonly string[],
  { env = {}, input = '', signal = new AbortController().signal, onOutput }: Typing = {},
): Promise<Outcome> {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  if (onOutput) output.on('data', (chunk) => onOutput(String(chunk)));
  const texts = Promise.all([text(output), text(errors)]);
  const code = await runCommand(words, { input: Readable.from([input]), output, errors, env, signal });
  output.end();
  errors.end();
  const [out, err] = await texts;
  return { code, out, err };
}
