import type { InspectionReport } from '@platen/contract/inspect';
import type { Bytes } from '@platen/formats/bytes/bytes';
import type { FeatureSamples } from './feature-samples.ts';
import type { Issues } from './issues.ts';

/** What is to be inspected: a file, or a folder of files. Only what is asked for is read. */
export interface Subject {
  /** The name people know it by. */
  readonly name: string;
  /** In bytes; of a folder, of all its files. */
  readonly size: number;
  /** Of a file; undefined for a folder. */
  readonly bytes: Bytes | undefined;
  /** Of a file that lies on this disk as a whole. */
  readonly path: string | undefined;
  /**
   * A file by its path within the folder, or for a single file one that lies beside it (`photo.jgw`, `part.bin`);
   * undefined when there is none.
   */
  find(path: string): Promise<Bytes | undefined>;
  /** Up to `limit` files of a folder, by their paths in it, in the order of the paths; of a single file none. */
  list(limit: number): Promise<readonly { readonly name: string; readonly size: number }[]>;
  /**
   * For libraries that take only paths: where it lies on this disk, or a copy made when this is first called; with a
   * path, of the file that `find` would give. Undefined: there is none, or it is a folder too large to be copied.
   */
  onDisk(path?: string): Promise<OnDisk | undefined>;
}

export interface OnDisk {
  /** Absolute. */
  readonly path: string;
  /** Of a file, how many of its first bytes are there: all, or of one that is too large to be copied the beginning. */
  readonly bytes: number;
}

export interface Inspecting {
  readonly issues: Issues;
  readonly signal: AbortSignal;
  /** Is the time over? Then what is known by now has to do. */
  readonly isOver: () => boolean;
  /** Where some of the features go, for those who want to see them. */
  readonly samples?: FeatureSamples;
  /** A folder to write to, emptied afterwards. */
  readonly scratchFolder: string;
}

/** Without what the frame adds: `issues` come from `Inspecting`. */
export type Finding = Omit<InspectionReport, 'issues'>;

/**
 * Looks into one family of formats, by content and never by name alone. undefined: it is none of them. Damage is no
 * error but an issue, beside all that could be found out; what it throws is a bug.
 */
export type Inspector = (subject: Subject, inspecting: Inspecting) => Promise<Finding | undefined>;
