import type { HeightMode } from '../heights/height-mode.ts';
import type { OpenedHeights } from '../heights/open-heights.ts';

/** What the heights of a file were taken for. */
export interface UsedHeights {
  readonly from: string;
  readonly name: string;
  readonly geoid?: string;
  readonly accuracyMetres?: number;
}

/** @param heights undefined of geocentric coordinates */
export function usedHeights(mode: HeightMode, heights: OpenedHeights | undefined): UsedHeights {
  const { vertical, geoid, accuracyMetres } = heights ?? {};
  return {
    from: mode === 'ellipsoid' ? (vertical?.code ?? vertical?.name ?? 'ellipsoid') : mode,
    name: mode === 'ellipsoid' ? (vertical?.name ?? 'WGS 84') : mode,
    ...(geoid !== undefined && { geoid }),
    ...(accuracyMetres !== undefined && { accuracyMetres }),
  };
}
