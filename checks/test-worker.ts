// A process of npm test: runs the test files that it is sent, one after the other, each as a suite of its own.
import assert from 'node:assert/strict';
import { on } from 'node:events';
import { after, describe, mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cleanUpAfterAllFiles } from './after-all-files.ts';

const exitLimitMs = 5000;
let current = '';

// Node's runner counts such an error for the test that caused it, but cannot always find out which one that is.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => process.stderr.write(`${event} in ${current}: ${String(error)}\n`));
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUpAfterAllFiles().finally(() => process.exit(1)));
}

const messages = on(process, 'message', { close: ['disconnect'] });
for await (const [file] of messages as AsyncIterable<[string]>) {
  current = file;
  const putBack = keepProcessState();
  await describe(file, async () => {
    await import(pathToFileURL(file).href);
    after(checkExitCode);
  });
  putBack();
}
await cleanUpAfterAllFiles();
// handles that tests left open must not keep the run waiting
setTimeout(() => process.exit(), exitLimitMs).unref();

/** Restores process state, so that one test file cannot affect the next one. */
function keepProcessState(): () => void {
  const env = { ...process.env };
  const cwd = process.cwd();
  const { fetch } = globalThis;
  return () => {
    mock.reset();
    globalThis.fetch = fetch;
    process.chdir(cwd);
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  };
}

function checkExitCode(): void {
  const { exitCode = 0 } = process;
  process.exitCode = 0;
  assert.equal(exitCode, 0, 'nothing failed outside the tests of this file, or of the one before');
}
