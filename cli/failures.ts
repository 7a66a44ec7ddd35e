import { RequestFailed } from '@platen/client/client';
import { UsageError } from './read-command-line.ts';

/** The exit codes of all commands, as documented in docs/cli.md. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

/** A command cannot do what it should; the message is for the user. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  constructor(exitCode: Exclude<keyof typeof exitCodes, 'ok'>, message: string) {
    super(message);
    this.exitCode = exitCodes[exitCode];
  }
}

export interface DescribedFailure {
  readonly exitCode: number;
  readonly message: string;
}

/** What the user reads instead of a stack trace. */
export function describeFailure(error: unknown): DescribedFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof RequestFailed) return describeRefusal(error);
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, message: error.message };
  const { name, message } = error as Error;
  if (name === 'AbortError') return { exitCode: exitCodes.interrupted, message: 'Interrupted.' };
  return { exitCode: exitCodes.failed, message };
}

function describeRefusal({ status, message, errors }: RequestFailed): DescribedFailure {
  const details = errors
    .filter(({ detail }) => !message.includes(detail))
    .map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`)
    .join('');
  if (status === 401)
    return {
      exitCode: exitCodes.refused,
      message: `${message} Sign in again with “platen login”, or check PLATEN_TOKEN.`,
    };
  const exitCode =
    status === 403 ? exitCodes.refused : status === 404 ? exitCodes.notFound : exitCodes.failed;
  return { exitCode, message: message + details };
}

/** Why no answer arrived, by the error of the network. */
export function unreachable(url: string, error: unknown): CommandFailure {
  return new CommandFailure(
    'unreachable',
    `Cannot reach ${url}: ${causeOf(error)}. Check the address and the network.`,
  );
}

function causeOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: Error & { code?: string } };
  const code = name === 'TimeoutError' ? 'ETIMEDOUT' : cause?.code;
  return (code !== undefined && causes[code]) || cause?.message || message;
}

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'the name of the host is unknown',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  UND_ERR_SOCKET: 'the connection was closed',
};
