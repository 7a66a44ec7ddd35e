import type { FailureCode } from '@platen/contract/failure-codes';
import type { JobProgress, JobWarning } from '@platen/contract/jobs';
import type { FreeForm } from '@platen/contract/schema';
import type { Brought, Piece } from '@platen/processing/input-pieces';
import type { JobInput, JobLimits, JobResult, LogLevel } from '@platen/processing/job-type';

/** What the runner tells the process of a job, once. */
export interface StartMessage {
  /** The name of the job type, without a prefix. */
  readonly name: string;
  readonly options: FreeForm;
  readonly inputs: readonly JobInput[];
  readonly outputFolder: string;
  readonly scratchFolder: string;
  /** The inputs are not there yet: they are asked for. */
  readonly inPieces: boolean;
  readonly isVerbose: boolean;
  /** What lies in the scratch folder at the end is wanted. */
  readonly keepsScratch?: boolean;
  readonly limits: JobLimits;
}

/** What the runner answers to a question of this number. */
export interface AnswerMessage {
  readonly type: 'answer';
  readonly id: number;
  readonly brought?: Brought;
  readonly members?: readonly { readonly name: string; readonly size: number }[];
  /** It ends the job. */
  readonly failure?: { readonly code: FailureCode; readonly message: string };
}

/** Asks the job to stop. The process is killed soon after, whether the job has ended or not. */
export interface AbortMessage {
  readonly type: 'abort';
}

/** What the process of a job tells its runner. */
export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'started' }
  | { readonly type: 'bring'; readonly id: number; readonly piece: Piece }
  | { readonly type: 'list'; readonly id: number; readonly input: number; readonly limit: number }
  | {
      readonly type: 'progress';
      readonly progress: JobProgress | undefined;
      /** All so far; absent: there are none since the last. */
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
      /** Of a bug; for the log of the runner. */
      readonly stack?: string;
    };
