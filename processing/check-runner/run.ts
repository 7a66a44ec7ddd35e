import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { FailureCode } from '@platen/contract/failure-codes';
import { JobFailure, type JobContext, type RunJob } from '../job-type.ts';
import { readRights } from './rights.ts';
import type { checkRunner } from './spec.ts';

const reportIntervalMs = 200;
const linesAtOnce = 500;

export const runCheckRunner: RunJob<typeof checkRunner> = async (options, context) => {
  const { seconds = 0, lines = 0, fail } = options;
  const report = await probeLimits(context);
  context.log('info', 'Resources of a job on this runner.', report);
  if (!report.networkIsClosed) context.warn('networkIsOpen', 'Jobs on this runner can reach the network.');
  await write(lines, context);
  await wait(seconds, context);
  if (fail !== undefined)
    throw new JobFailure(fail as FailureCode, 'The job failed as requested by its options.');
  return { report };
};

async function probeLimits({ scratchFolder, limits }: JobContext) {
  const { bavail, bsize } = await statfs(scratchFolder);
  return {
    ...limits,
    cores: availableParallelism(),
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    scratchFreeBytes: bavail * bsize,
    networkIsClosed: await isNetworkClosed(),
    rights: await readRights(),
  };
}

/** Tries to connect: any answer, even a refused connection, proves that a network is reachable. */
function isNetworkClosed(): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const socket = connect({ host: '127.0.0.1', port: 9 });
      const found = (isClosed: boolean) => {
        socket.destroy();
        resolve(isClosed);
      };
      socket.once('connect', () => found(false));
      socket.once('error', ({ code }: NodeJS.ErrnoException) => found(code === 'ERR_ACCESS_DENIED'));
    } catch (error) {
      resolve((error as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED');
    }
  });
}

async function write(lines: number, { log, signal }: JobContext): Promise<void> {
  for (let line = 1; line <= lines; line++) {
    log('info', `Line ${line} of ${lines}.`, { line });
    if (line % linesAtOnce > 0) continue;
    signal.throwIfAborted();
    await setImmediate(); // lets the written lines be sent before more follow
  }
}

async function wait(seconds: number, { progress, signal }: JobContext): Promise<void> {
  if (seconds === 0) return;
  const began = performance.now();
  for (let done = 0; done < seconds; done = (performance.now() - began) / 1000) {
    progress('stay', done, seconds, seconds - done);
    await sleep(Math.min(reportIntervalMs, (seconds - done) * 1000), undefined, { signal });
  }
  progress('stay', seconds, seconds, 0);
}
