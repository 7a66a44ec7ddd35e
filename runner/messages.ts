import type { JobProgress, JobWarning } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import type { JobInput, JobResult, LogLevel } from '@platen/processing/job-type';

/** What the runner tells the process of a job, once. */
export interface StartMessage {
  /** The name of the job type, without a prefix. */
  readonly name: string;
  readonly options: FreeForm;
  readonly inputs: readonly JobInput[];
  readonly outputFolder: string;
  readonly scratchFolder: string;
  readonly isVerbose: boolean;
}

/** What the process of a job tells its runner. */
export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'started' }
  | { readonly type: 'progress'; readonly progress: JobProgress | undefined; readonly warnings: JobWarning[] }
  | {
      readonly type: 'log';
      readonly at: string;
      readonly level: LogLevel;
      readonly message: string;
      readonly data?: FreeForm;
    }
  | { readonly type: 'result'; readonly result: JobResult; readonly warnings: JobWarning[] }
  | {
      readonly type: 'failed';
      readonly code: string;
      readonly message: string;
      readonly warnings: JobWarning[];
      /** Of a bug; for the log of the runner. */
      readonly stack?: string;
    };
