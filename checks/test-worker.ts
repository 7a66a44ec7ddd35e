// A process of npm test: runs the test files that it is sent, one after the other, each as a suite of its own.
import assert from 'node:assert/strict';
import { createHook, type AsyncHook } from 'node:async_hooks';
import { on } from 'node:events';
import { flushCompileCache } from 'node:module';
import { after, describe, mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { collectGarbageAbove } from '@platen/processing/kit/collect-garbage';
import { cleanUpAfterAllFiles, cleanUpAfterFile } from './clean-up.ts';
import { configureProperties } from './property-tests.ts';

const exitLimitMs = 5000;
/** By how many bytes the memory of the process may grow between two collections of garbage. */
const maxGrowth = 100 * 2 ** 20;
let memoryLimit = maxGrowth;
let current = '';

// Node's runner fails the file for such an error, as it does not know the test.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => process.stderr.write(`${event} in ${current}: ${String(error)}\n`));
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUpAfterAllFiles().finally(() => process.exit(1)));
}

configureProperties(process.env);
const promiseHook = takePromiseHook();
const messages = on(process, 'message', { close: ['disconnect'] });
for await (const [file] of messages as AsyncIterable<[string]>) {
  current = file;
  const putBack = keepProcessState();
  promiseHook()?.enable();
  await describe(file, async () => {
    await import(pathToFileURL(file).href);
    after(cleanUpAfterFile);
    after(checkExitCode);
    promiseHook()?.disable();
  });
  putBack();
  flushCompileCache(); // for the other processes
  collectGarbage();
}
await cleanUpAfterAllFiles();
// handles that tests left open must not keep the run waiting
setTimeout(() => process.exit(), exitLimitMs).unref();

/**
 * The hook by which Node's runner follows every promise to the test that made it, from its first test on. It is needed
 * while a file declares its tests. While they run it would take up to two thirds of the time of those that await much.
 * Only `after`, which lint refuses, `test` instead of `t.test` in a test, and reports of uncaught errors would need it.
 */
function takePromiseHook(): () => AsyncHook | undefined {
  const prototype = Object.getPrototypeOf(createHook({})) as AsyncHook;
  const enable = Object.getOwnPropertyDescriptor(prototype, 'enable')!.value as (
    this: AsyncHook,
  ) => AsyncHook;
  const taken: AsyncHook[] = [];
  prototype.enable = function (this: AsyncHook) {
    taken.push(this);
    prototype.enable = enable;
    return this.enable();
  };
  return () => taken[0];
}

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

/**
 * What a file has left behind would otherwise be there for long: V8 hardly counts the buffers that small objects hold.
 * Several processes with a gigabyte each slow each other down.
 */
function collectGarbage(): void {
  if (process.memoryUsage.rss() <= memoryLimit) return;
  collectGarbageAbove(0);
  memoryLimit = process.memoryUsage.rss() + maxGrowth;
}

function checkExitCode(): void {
  const { exitCode = 0 } = process;
  process.exitCode = 0;
  assert.equal(exitCode, 0, 'nothing failed outside the tests of this file, or of the one before');
}
