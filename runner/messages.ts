import type { FailureCode } from '@platen/contract/failure-codes';
import type { JobProgress, JobWarning } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import type { FetchedFile, InputMember, InputRange } from '@platen/processing/input-ranges';
import type { FormerResults, JobInput, JobLimits, JobResult, LogLevel } from '@platen/processing/job-type';

/** The first message of the runner to the process of a job. */
export interface StartMessage {
  /** The name of the job type without its prefix. */
  readonly name: string;
  readonly options: FreeForm;
  readonly inputs: readonly JobInput[];
  readonly former?: FormerResults | undefined;
  readonly outputFolder: string;
  readonly scratchFolder: string;
  /** True if the inputs are fetched on demand by `bring` and `list`. */
  readonly readsRanges: boolean;
  readonly isVerbose: boolean;
  /** True if the scratch folder is to be kept at the end. */
  readonly keepsScratch?: boolean;
  readonly limits: JobLimits;
  /** The folder with further geoid grids. */
  readonly geoidFolder?: string | undefined;
}

/** The runner's answer to the question with this number. */
export interface AnswerMessage {
  readonly type: 'answer';
  readonly id: number;
  readonly brought?: FetchedFile;
  readonly members?: readonly InputMember[];
  /** Ends the job. */
  readonly failure?: { readonly code: FailureCode; readonly message: string };
}

/** Asks the job to stop. The process is killed soon after, whether the job has ended or not. */
export interface AbortMessage {
  readonly type: 'abort';
}

/** A message of the process of a job to the runner. */
export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'started' }
  | { readonly type: 'bring'; readonly id: number; readonly range: InputRange }
  | { readonly type: 'list'; readonly id: number; readonly input: number; readonly limit: number }
  | {
      readonly type: 'progress';
      readonly progress: JobProgress | undefined;
      /** All warnings so far; absent if there are no new ones. */
      readonly warnings?: JobWarning[];
    }
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
      readonly code: FailureCode;
      readonly message: string;
      readonly warnings: JobWarning[];
      /** The stack of an unexpected error, for the runner's log. */
      readonly stack?: string;
    };
