import type { FailureCode } from '@platen/contract/failure-codes';
import type { Static, TSchema } from 'typebox';
import type { InputPieces } from './input-pieces.ts';
import type { RejectedFeature } from './rejects.ts';
import type { NoticeCode, RejectCode } from './warning-codes.ts';

/** What the server and the web need to know of a job type. No heavy imports. */
export interface JobSpec<P extends TSchema = TSchema> {
  /** `TilesVector`: a task's `jobType` is any lowercase prefix followed by this name. */
  readonly name: string;
  /** The folder of this room that holds the job type. */
  readonly folder: string;
  /** Raise it when the same options give a different output. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  /** JSON Schema 2020-12 of `parameters.options` without `input`. Unknown keys are allowed everywhere. */
  readonly options: P;
  /** The project permission that creating a task of this type needs. Absent: no task can name it. */
  readonly permission?:
    | `access${string}Job`
    | 'uploadToDataBucket'
    | 'abortJob'
    | 'publishApp'
    | 'publishDatasource'
    | 'createScenario';
  /** The type of the datasource that a finished job creates or updates. Absent: it makes files alone. */
  readonly datasourceType?: string;
  /** Where an option decides: all types it may be, `datasourceType` without that option. */
  readonly datasourceTypes?: readonly string[];
  /** `pieces`: the inputs are not brought to the disk first, but as the job asks for them; `nothing`: it has none. */
  readonly reads?: 'pieces' | 'nothing';
  /** It carries a bundle of the service to a destination: the runner does that itself. */
  readonly transfers?: true;
  /** Its inputs become files of the project as they are: what the quota has no room for is not even fetched. */
  readonly storesInputs?: true;
  /**
   * It goes on where an earlier process of the job stood that has died: its scratch folder may hold what that has left.
   * Never from another job, other options or other inputs; paths in it have changed.
   */
  readonly resumes?: true;
  /** The phases that it tells of, in their order, with what `done` and `total` count in each. */
  readonly phases?: Readonly<Record<string, string>>;
  /** It tells what the whole job will probably still take: the runner guesses nothing from a phase alone. */
  readonly foretells?: true;
  /** The runner ends a job that takes longer. */
  readonly longestSeconds?: number;
}

/** A job type that tasks can name; of others the service makes jobs by itself. */
export interface TaskSpec<P extends TSchema = TSchema> extends JobSpec<P> {
  readonly permission: NonNullable<JobSpec['permission']>;
}

/** Every type of datasource that a job of this type may make. */
export function datasourceTypesOf({ datasourceType, datasourceTypes }: TaskSpec): readonly string[] {
  return datasourceTypes ?? (datasourceType === undefined ? [] : [datasourceType]);
}

/** One file the job reads; already on the local disk. */
export interface JobInput {
  /** Absolute. */
  readonly path: string;
  /** The name people know it by; used in messages. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Files that belong to it, by their ending in lower case: of a shapefile `dbf`, `shx`, `prj`, `cpg`. Absolute paths. */
  readonly related?: Readonly<Record<string, string>>;
  /** One of the file's layers, or a name for its only one. */
  readonly layer?: string;
  /** Overrides what the file says of itself. */
  readonly crs?: string;
  readonly encoding?: string;
}

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** What the process of a job may take at most; absent: nobody watches it. */
export interface JobLimits {
  readonly memoryMegabytes: number;
  /** Of all its threads together. */
  readonly cpuSeconds?: number;
  /** What it puts into its folders. */
  readonly scratchMegabytes?: number;
}

/** What a running job may touch: its inputs, its output folder, its scratch folder. Nothing else. */
export interface JobContext {
  readonly inputs: readonly JobInput[];
  /** Of a job type with `reads: 'pieces'`, when it runs on a runner. */
  readonly pieces?: InputPieces;
  readonly outputFolder: string;
  /** Emptied by the runner afterwards; empty before, unless the type `resumes`. */
  readonly scratchFolder: string;
  /** Somebody wants to see what lies there at the end: leave it. */
  readonly keepsScratch?: boolean;
  /** Absent where no runner watches. */
  readonly limits?: JobLimits;
  /** Aborts when the job has to stop: it may clean up, and its process is killed two seconds later. */
  readonly signal: AbortSignal;
  /** @param secondsLeft what the whole job will probably still take */
  readonly progress: (phase: string, done: number, total: number, secondsLeft?: number) => void;
  readonly log: (level: LogLevel, message: string, data?: Record<string, unknown>) => void;
  /** The runner counts per code and keeps the first examples. @param times how often it was seen, once by default */
  readonly warn: (
    code: NoticeCode,
    message: string,
    example?: Record<string, unknown>,
    times?: number,
  ) => void;
  /**
   * Sets a feature aside that cannot be used, and counts it as a warning. Of the first ones a file is made that people can
   * open on a map, whatever the job's end is.
   * @param feature undefined: it is counted alone
   * @param times how often it was seen, once by default
   */
  readonly reject: (code: RejectCode, message: string, feature?: RejectedFeature, times?: number) => void;
}

/** Some features of a layer. */
export interface Sample {
  readonly layer: string;
  readonly isWhole: boolean;
  readonly features: readonly Record<string, unknown>[];
}

export interface JobResult {
  /** What the job has found out: JSON of at most 256 KiB, kept with the job. */
  readonly report?: Record<string, unknown>;
  /** Some of what it has read: at most two MiB of GeoJSON, kept with what was read. */
  readonly samples?: readonly Sample[];
  readonly datasource?: {
    readonly type: string;
    /** A file or a folder, relative to the output folder. */
    readonly path: string;
    /** West, south, east, north in degrees. */
    readonly bbox?: [number, number, number, number];
    readonly typeProperties: Record<string, unknown>;
    readonly properties: Record<string, unknown>;
  };
}

/** A failure whose message the person who started the job can act on: it names the file and the place in it. */
export class JobFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobFailure';
    this.code = code;
  }
}

/** Throws a JobFailure where a person can mend it, the signal's reason when aborted, anything else is a bug. */
export type RunJob<S extends JobSpec> = (
  options: Static<S['options']>,
  context: JobContext,
) => Promise<JobResult>;
