import type { InspectionReport } from '@platen/contract/inspect';
import type { Bytes } from '@platen/formats/bytes/bytes';
import type { Area } from '@platen/formats/crs/crs';
import type { FeatureSamples } from './feature-samples.ts';
import type { Issues } from './issues.ts';

/** The file or folder to inspect. Only the ranges that an inspector asks for are read. */
export interface Subject {
  /** The name as users know it. */
  readonly name: string;
  /** In bytes; for a folder, the total of its files. */
  readonly size: number;
  /** Undefined for a folder. */
  readonly bytes: Bytes | undefined;
  /** Set if the whole file is on the local disk. */
  readonly path: string | undefined;
  /**
   * Opens a file by its path within the folder, or for a single file one next to it (`photo.jgw`, `part.bin`);
   * undefined
   * if it does not exist.
   */
  find(path: string): Promise<Bytes | undefined>;
  /** Up to `limit` files of a folder, sorted by path; empty for a single file. */
  list(limit: number): Promise<readonly { readonly name: string; readonly size: number }[]>;
  /**
   * For libraries that need a path: the local file, or a copy made on the first call. With `path`, the file that
   * `find`
   * would return. Undefined if it does not exist, or for a folder too large to copy.
   */
  localFile(path?: string): Promise<LocalFile | undefined>;
}

export interface LocalFile {
  /** Absolute. */
  readonly path: string;
  /** Number of bytes available from the start of the file: all, or a part if the file is too large to copy. */
  readonly bytes: number;
}

export interface InspectionContext {
  readonly issues: Issues;
  /** Where data without a coordinate system probably are. */
  readonly area?: Area | undefined;
  readonly signal: AbortSignal;
  /** Whether the time limit has passed; the inspector then returns what it knows. */
  readonly isOver: () => boolean;
  /** Bytes of data that an inspector may hold at a time; its own limits apply below that. */
  readonly memoryBytes: number;
  /** Collects sample features for previews. */
  readonly samples?: FeatureSamples;
  /** A temporary folder, emptied afterwards. */
  readonly scratchFolder: string;
}

/** The report without its `issues`, which come from `InspectionContext`. */
export type Finding = Omit<InspectionReport, 'issues'>;

/**
 * Inspects one family of formats, by content and never by name alone. Returns undefined if the subject is none of
 * them.
 * Damage is reported as an issue next to the finding; an exception is a bug.
 */
export type Inspector = (subject: Subject, context: InspectionContext) => Promise<Finding | undefined>;

/** A family of formats with its inspector. */
export interface Family {
  /** Used in messages when the inspector fails. */
  readonly title: string;
  /** Loads the inspector's code on first use. */
  readonly load: () => Promise<Inspector>;
}
