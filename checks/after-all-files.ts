import { after } from 'node:test';

/** Set in the processes in which several test files run, one after the other. */
export const workerVariable = 'PLATEN_TEST_WORKER';

type CleanUp = () => Promise<unknown>;

const cleanUps: CleanUp[] = [];

/** For what several files share, such as a browser. Call it where a module begins, not in a test. */
export function afterAllFiles(cleanUp: CleanUp): void {
  if (process.env[workerVariable] === undefined) after(cleanUp);
  else cleanUps.push(cleanUp);
}

export async function cleanUpAfterAllFiles(): Promise<void> {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
}
