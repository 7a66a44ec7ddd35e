import type { EgressPolicy } from '@platen/egress/policy';
import type { Attempt } from './attempt.ts';

/** A job that the runner runs itself, with what its settings allow. */
export interface RunnerJobRun extends Attempt {
  readonly runnerName: string;
  readonly egressPolicy: EgressPolicy;
  /** The folder below which jobs may publish; undefined: none may. */
  readonly publishFolder: string | undefined;
}

/** Reports how the job ended; never throws. */
export type RunnerJob = (run: RunnerJobRun) => Promise<void>;
