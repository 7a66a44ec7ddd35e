import type { CleanupKind } from '@platen/contract/cleanups';

/** So much of one kind was removed. */
export interface Removed {
  readonly project_id?: string | null;
  readonly bucket_id?: string | null;
  readonly count: number;
  /** Sizes of files; 0 for what has none. */
  readonly bytes?: number;
}

export interface CleanUpOptions {
  readonly signal?: AbortSignal | undefined;
  /** Hears of everything as soon as it is gone, so that it is known also where something fails later. */
  readonly tell?: ((kind: CleanupKind, removed: readonly Removed[]) => void) | undefined;
}

export const countAll = (removed: readonly Removed[]): number =>
  removed.reduce((sum, { count }) => sum + count, 0);
