import type { FailureCode } from '@platen/contract/failure-codes';
import type { InspectedKind, InspectionReport } from '@platen/contract/inspect';
import type { Static, TSchema } from 'typebox';
import type { JobSuggestion } from './job-suggestion.ts';
import type { PhaseSpecs } from './phases.ts';
import type { InputRanges } from './input-ranges.ts';
import type { RejectedFeature } from './rejects.ts';
import type { NoticeCode, RejectCode } from './warning-codes.ts';

/** The part of a job type that the server and the web need. No heavy imports. */
export interface JobSpec<P extends TSchema = TSchema> {
  /** `TilesVector`: a task's `jobType` is any lowercase prefix followed by this name. */
  readonly name: string;
  /** The folder of this room that holds the job type. */
  readonly folder: string;
  /** Increase it when the same options give a different output. */
  readonly version: number;
  readonly title: string;
  readonly description: string;
  /** Its name on other servers: clients that were written for these send it, with parameters of their own. */
  readonly otherName?: string;
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
  /** Type of the datasource that a finished job creates or updates. Absent: the job only writes files. */
  readonly datasourceType?: string;
  /** If an option decides the type: all possible types. `datasourceType` is the default. */
  readonly datasourceTypes?: readonly string[];
  /** Types of the datasources that a job may make besides the primary one; none by default. */
  readonly furtherDatasourceTypes?: readonly string[];
  /**
   * `ranges`: inputs are fetched range by range as the job reads them, not beforehand; `nothing`: the type has no inputs.
   */
  readonly reads?: 'ranges' | 'nothing';
  /** With `ranges`: the most that a job may fetch from another machine, in bytes; unlimited by default. */
  readonly maxReadBytes?: number;
  /**
   * The runner runs it itself, by runner/runner-jobs.ts: it needs the network or a login, and parses no content. It has
   * no run.ts.
   */
  readonly runsIn?: 'runner';
  /** A job waits for the others of its task: they would write to the same place. */
  readonly runsAlone?: true;
  /** Inputs become files of the project unchanged, so anything that exceeds the quota is not even fetched. */
  readonly storesInputs?: true;
  /**
   * Can resume after its process died: the scratch folder may contain what that process left. It never comes from
   * another
   * job, other options or other inputs, but its path has changed.
   */
  readonly resumes?: true;
  /** The phases in their order. Without shares, the runner estimates the time left in each phase only. */
  readonly phases?: PhaseSpecs;
  /** The runner stops a job that takes longer. */
  readonly maxSeconds?: number;
}

/** A job type that tasks can name; jobs of the other types are created by the service. */
export interface TaskSpec<P extends TSchema = TSchema> extends JobSpec<P> {
  readonly permission: NonNullable<JobSpec['permission']>;
  /** The group in which the interface offers the type. */
  readonly purpose: 'prepare' | 'fetch' | 'publish' | 'care';
  /** Name of an icon of Lucide (https://lucide.dev), in PascalCase. */
  readonly icon: string;
  /**
   * Whether and how the type suits inspected data; undefined if it does not. The interface needs the words
   * `suggestion`.
   * @param cores number of cores that a job can expect
   */
  readonly suggest?: (report: InspectionReport, cores: number) => JobSuggestion | undefined;
  /** Kinds of data that the interface publishes as a map by this type, with default options if none are suggested. */
  readonly mapsOf?: readonly InspectedKind[];
}

/** All datasource types that a job of this type may create. */
export function datasourceTypesOf({ datasourceType, datasourceTypes }: TaskSpec): readonly string[] {
  return datasourceTypes ?? (datasourceType === undefined ? [] : [datasourceType]);
}

/** An input file on the local disk. */
export interface JobInput {
  /** Absolute. */
  readonly path: string;
  /** The name as users know it, for messages. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Companion files by lower-case extension: `dbf`, `shx`, `prj`, `cpg` of a shapefile. Absolute paths. */
  readonly related?: Readonly<Record<string, string>>;
  /** The layer to read, or a name for the only layer of the file. */
  readonly layer?: string;
  /** Overrides the CRS that the file names. */
  readonly crs?: string;
  readonly encoding?: string;
  /** Equal for inputs with the same content, if the runner knows it: a hash of it, or of all files of a folder. */
  readonly content?: string;
  /** Of a folder: the hash of each file by its path in it, if the runner knows them. */
  readonly contents?: Readonly<Record<string, string>>;
}

/** A file or folder of an earlier job. */
export interface FormerFile extends Pick<JobInput, 'path' | 'name' | 'size'> {
  /** The number of the input for `InputRanges`. */
  readonly index: number;
}

/** What the job has made that this one updates: complete and unchanged. */
export interface FormerResults {
  /** The manifest that it has returned. */
  readonly manifest: FormerFile;
  /** The data of its datasources, the primary one first. */
  readonly results: readonly (FormerFile & { readonly resultKey?: string })[];
}

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** Limits of a job's process; absent if no runner enforces them. */
export interface JobLimits {
  readonly memoryMegabytes: number;
  /** Total of all threads. */
  readonly cpuSeconds?: number;
  /** Total size of the files it writes. */
  readonly scratchMegabytes?: number;
}

/** Everything a running job may access: its inputs, its output folder and its scratch folder. */
export interface JobContext {
  readonly inputs: readonly JobInput[];
  /** Set for a job type with `reads: 'ranges'` that runs on a runner. */
  readonly inputRanges?: InputRanges;
  /** What an update may copy from, if that job has returned a manifest, and type, version and options are the same. */
  readonly former?: FormerResults;
  readonly outputFolder: string;
  /** Emptied by the runner afterwards, and empty at the start unless the type `resumes`. */
  readonly scratchFolder: string;
  /** Keep the scratch folder's content at the end for debugging. */
  readonly keepsScratch?: boolean;
  /** Absent if no runner enforces limits. */
  readonly limits?: JobLimits;
  /** A folder with geoid grids of the operator. */
  readonly geoidFolder?: string;
  /** Aborts when the job has to stop: it may clean up, and its process is killed two seconds later. */
  readonly signal: AbortSignal;
  /** @param secondsLeft estimate for the whole job */
  readonly progress: (phase: string, done: number, total: number, secondsLeft?: number) => void;
  readonly log: (level: LogLevel, message: string, data?: Record<string, unknown>) => void;
  /**
   * Reports a warning. The runner counts by code and keeps the first examples. @param times number of occurrences, 1
   * by default
   */
  readonly warn: (
    code: NoticeCode,
    message: string,
    example?: Record<string, unknown>,
    times?: number,
  ) => void;
  /**
   * Rejects a feature that cannot be used and counts it as a warning. The first rejects are written to a file that
   * users can
   * open on a map, however the job ends.
   * @param feature undefined: the reject is only counted
   * @param times number of occurrences, 1 by default
   */
  readonly reject: (code: RejectCode, message: string, feature?: RejectedFeature, times?: number) => void;
}

/** Sample features of a layer. */
export interface Sample {
  readonly layer: string;
  readonly isWhole: boolean;
  readonly features: readonly Record<string, unknown>[];
}

/** A datasource that a job has made. */
export interface MadeDatasource {
  readonly type: string;
  /** A file or a folder, relative to the output folder. */
  readonly path: string;
  /** West, south, east, north in degrees. */
  readonly bbox?: [number, number, number, number];
  readonly typeProperties: Record<string, unknown>;
  readonly properties: Record<string, unknown>;
}

export interface FurtherDatasource extends MadeDatasource {
  /** Identifies it among the results of the job type, such as `hillshade`: an update of the primary one updates it, too. */
  readonly key: string;
  /** Follows the name of the primary datasource, such as “Terrain – Hillshade”. */
  readonly title: string;
}

export interface JobResult {
  /** The result of the analysis: JSON of at most 256 KiB, kept with the job. */
  readonly report?: Record<string, unknown>;
  /** Sample features that were read: at most 2 MiB of GeoJSON, kept with the input. */
  readonly samples?: readonly Sample[];
  /** The primary datasource: the one that the task names. */
  readonly datasource?: MadeDatasource;
  /** At most 200, of the types that the spec lists. */
  readonly furtherDatasources?: readonly FurtherDatasource[];
  /**
   * A file, relative to the output folder, that records what the results were made of: a job that updates them finds it in
   * `JobContext.former`, and makes only what has changed. Its output must be that of a full run, byte for byte.
   */
  readonly manifest?: string;
}

/** A failure with a message that the user can act on: it names the file and the position in it. */
export class JobFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JobFailure';
    this.code = code;
  }
}

/**
 * Throws a JobFailure if the user can fix the problem, and the signal's reason when aborted; any other error is a bug.
 */
export type RunJob<S extends JobSpec> = (
  options: Static<S['options']>,
  context: JobContext,
) => Promise<JobResult>;
