import type { CleanupKind } from '@platen/contract/cleanups';

/** The number of items removed from one project or bucket. */
export interface RemovalCount {
  readonly project_id?: string | null;
  readonly bucket_id?: string | null;
  readonly count: number;
  /** Bytes of removed files; 0 for other items. */
  readonly bytes?: number;
}

export interface CleanUpOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each removal, so that it is recorded even if a later step fails. */
  readonly report?: ((kind: CleanupKind, removed: readonly RemovalCount[]) => void) | undefined;
}

export const countAll = (removed: readonly RemovalCount[]): number =>
  removed.reduce((sum, { count }) => sum + count, 0);
