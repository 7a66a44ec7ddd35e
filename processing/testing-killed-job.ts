import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { JobInput } from './job-type.ts';
import { runs } from './runs.ts';
import { testContext } from './testing-context.ts';

/** A job whose process dies where it is told to. */
interface MortalJob {
  /** A name in `runs`. */
  readonly type: string;
  readonly options: object;
  readonly inputs: readonly JobInput[];
  readonly outputFolder: string;
  readonly scratchFolder: string;
  /** The process dies as soon as more than the share of the phase is done. */
  readonly phase: string;
  readonly share: number;
}

/** Runs a job in a process of its own, which SIGKILL ends in the phase. */
export async function runUntilKilled(job: MortalJob): Promise<void> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(job)]);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  assert.equal(signal, 'SIGKILL', `the process ended by itself: ${code}`);
}

async function run({ type, options, phase, share, ...context }: MortalJob): Promise<void> {
  const job = await runs[type]!();
  await job(
    options,
    testContext({
      ...context,
      progress(now, done, total) {
        if (now === phase && done / total > share) process.kill(process.pid, 'SIGKILL');
      },
    }),
  );
}

if (import.meta.main) await run(JSON.parse(process.argv[2]!) as MortalJob);
