import { after } from 'node:test';

/** Set for the processes in which several test files run, one after the other, and not for those that these start. */
export const workerVariable = 'PLATEN_TEST_WORKER';
const isWorker = process.env[workerVariable] !== undefined;
delete process.env[workerVariable];

type CleanUp = () => unknown;

const cleanUpsOfFile: CleanUp[] = [];
const cleanUpsOfAllFiles: CleanUp[] = [];

/**
 * For what a test file or a helper of it has made, in a test or outside. The last one made is cleaned up first. In a
 * test that has its context `t`, `t.after` cleans up earlier.
 */
export function afterFile(cleanUp: CleanUp): void {
  register(cleanUpsOfFile, cleanUp);
}

/** For what several files share, such as a browser. Call it where a module begins, not in a test. */
export function afterAllFiles(cleanUp: CleanUp): void {
  register(cleanUpsOfAllFiles, cleanUp);
}

/** Outside a worker, where one file runs, the first one makes Node's runner clean up at the end, in the same order. */
function register(cleanUps: CleanUp[], cleanUp: CleanUp): void {
  if (!isWorker && cleanUpsOfFile.length + cleanUpsOfAllFiles.length === 0)
    after(() => cleanUpAfterFile().finally(cleanUpAfterAllFiles));
  cleanUps.push(cleanUp);
}

export function cleanUpAfterFile(): Promise<void> {
  return runAll(cleanUpsOfFile.splice(0).toReversed());
}

export function cleanUpAfterAllFiles(): Promise<void> {
  return runAll(cleanUpsOfAllFiles.splice(0).toReversed());
}

/** @throws AggregateError with what failed, after all have run */
async function runAll(cleanUps: readonly CleanUp[]): Promise<void> {
  const errors: unknown[] = [];
  for (const cleanUp of cleanUps) {
    try {
      await cleanUp();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `Cleaning up failed: ${errors.join('; ')}`);
}
