import type { RejectCode } from '../warning-codes.ts';

/** Files of every format in which some features are good, and others cannot be used. */
export interface BrokenFile {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** Number of usable features. */
  readonly good: number;
  readonly bad: readonly BrokenFeature[];
}

export interface BrokenFeature {
  readonly code: RejectCode;
  readonly reason: RegExp;
  readonly name?: string;
  readonly line?: number | undefined;
  readonly row?: number;
  readonly feature?: number;
  /** The type of what can be shown of it; absent: nothing. */
  readonly shows?: string;
}
