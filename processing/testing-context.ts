import { tmpdir } from 'node:os';
import type { JobContext } from './job-type.ts';

/** The context of a job without a runner: nothing is reported, and there are no inputs unless given. */
export function testContext(given: Partial<JobContext>): JobContext {
  return {
    inputs: [],
    outputFolder: tmpdir(),
    scratchFolder: tmpdir(),
    signal: new AbortController().signal,
    progress: () => {},
    log: () => {},
    warn: () => {},
    reject: () => {},
    ...given,
  };
}
