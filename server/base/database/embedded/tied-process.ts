import { spawn, type ChildProcess } from 'node:child_process';
import { CHILD_ENVIRONMENT, lastLines } from './files.ts';
import { userOf, type Identity } from './identity.ts';

export interface TiedCommand {
  identity: Identity;
  command: string[];
  output: 'pipe' | number;
  /** A file that the server's user can read; empty input by default. */
  input?: string;
}

// $1 is the input. The watcher's parent exits at once, so that PostgreSQL does not see the watcher as a child.
const WATCHED =
  'input=$1; shift; exec 3<&0; ( { read -r _ <&3 || kill -INT $$; } >/dev/null 2>&1 & ); exec "$@" 3<&- <"$input"';

/**
 * Starts a command that gets SIGINT when this process dies for any reason: our end of a pipe closes, and a shell that
 * watches the other end sends the signal. The command has the pid of the child. It gets its own session, so that
 * Ctrl-C
 * in a terminal does not reach it before the service has shut down.
 */
export function spawnTied({ identity, command, output, input = '/dev/null' }: TiedCommand): ChildProcess {
  const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', input, ...identity.prefix, ...command], {
    stdio: ['pipe', output, output],
    env: CHILD_ENVIRONMENT,
    cwd: '/',
    detached: true,
    ...userOf(identity),
  });
  child.stdin!.on('error', () => {}); // EPIPE: the watching shell has exited
  child.once('exit', () => child.stdin!.end('\n')); // a line signals the watcher that the command has ended
  return child;
}

/** Resolves with how the process ended: a signal, "exit code 1", or why it could not start. */
export function processEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

/** Runs a tied command to its end. @throws with its last lines of output if the exit code is not 0 */
export async function runTied(name: string, command: Omit<TiedCommand, 'output'>): Promise<void> {
  const child = spawnTied({ ...command, output: 'pipe' });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const end = await processEnd(child);
  if (end !== 'exit code 0') throw new Error(`${name} failed (${end}): ${lastLines(output)}`);
}
