import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandFailure } from '../failures.ts';
import { UsageError } from '../read-command-line.ts';
import type { Streams } from '../terminal.ts';

const maxSecretLength = 10_000;

/** Asks at the terminal, without showing what is typed if it is a secret. */
export async function ask(streams: Streams, question: string, isSecret: boolean): Promise<string> {
  const { input, errors } = streams;
  if (input.isTTY !== true)
    throw new UsageError(
      'Standard input is not a terminal. Use --username with --password-stdin, or --token-stdin.',
    );
  errors.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: isSecret ? silent : errors, terminal: true });
  try {
    return await new Promise((resolve, reject) => {
      reader.once('line', resolve);
      reader.once('SIGINT', () => reject(new CommandFailure('interrupted', 'Interrupted.')));
      reader.once('close', () => reject(new CommandFailure('interrupted', 'Interrupted.')));
    });
  } finally {
    reader.close();
    if (isSecret) errors.write('\n');
  }
}

/** The first line of standard input. */
export async function readSecret({ input }: Streams, what: string): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > maxSecretLength) break;
  }
  const secret = text.split(/\r?\n/)[0]!;
  if (secret === '' || secret.length > maxSecretLength)
    throw new UsageError(`Standard input contains no ${what}.`);
  return secret;
}
