import { runCommand } from './run-command.ts';

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort()); // a second one ends the process
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(); // the reader, such as “head”, has enough
});

process.exitCode = await runCommand(process.argv.slice(2), {
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  env: process.env,
  signal: interrupted.signal,
});
