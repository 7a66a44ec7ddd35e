import type { PointStatistics } from './statistics.ts';

const maxBlackShare = 0.9;

/** Whether the points have colours of their own that are worth showing. */
export function hasOwnColours({ coloured, black }: PointStatistics): boolean {
  return coloured > 0 && black < maxBlackShare * (coloured + black);
}
