import type { Static, TSchema } from 'typebox';

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
  readonly permission?: `access${string}Job`;
  /** The type of the datasource that a finished job creates or updates. */
  readonly datasourceType?: string;
  /** Where an option decides: all types it may be, `datasourceType` without that option. */
  readonly datasourceTypes?: readonly string[];
}

/** A job type that tasks can name; of others the service makes jobs by itself. */
export interface TaskSpec<P extends TSchema = TSchema> extends JobSpec<P> {
  readonly permission: `access${string}Job`;
  readonly datasourceType: string;
}

/** Every type of datasource that a job of this type may make. */
export function datasourceTypesOf({ datasourceType, datasourceTypes }: TaskSpec): readonly string[] {
  return datasourceTypes ?? [datasourceType];
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

/** What a running job may touch: its inputs, its output folder, its scratch folder. Nothing else. */
export interface JobContext {
  readonly inputs: readonly JobInput[];
  readonly outputFolder: string;
  /** Emptied by the runner afterwards. */
  readonly scratchFolder: string;
  readonly signal: AbortSignal;
  /** @param secondsLeft what the whole job will probably still take */
  readonly progress: (phase: string, done: number, total: number, secondsLeft?: number) => void;
  readonly log: (level: LogLevel, message: string, data?: Record<string, unknown>) => void;
  /** The runner counts per code and keeps the first examples. @param times how often it was seen, once by default */
  readonly warn: (code: string, message: string, example?: Record<string, unknown>, times?: number) => void;
}

export interface JobResult {
  /** What the job has found out: JSON of at most 256 KiB, kept with the job. */
  readonly report?: Record<string, unknown>;
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
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
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
