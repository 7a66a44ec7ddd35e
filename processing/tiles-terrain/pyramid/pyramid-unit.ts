import type { CountedWarning } from '../../kit/warning-counter.ts';
import type { Signature } from '../../raster-source/sign-units.ts';
import type { MadeUnit } from '../tasks.ts';

/** A unit with what it was made of. If it has data but no range, it is as it was, and has not been read. */
export interface PyramidUnit extends MadeUnit {
  readonly signature: Signature;
  readonly warnings: readonly CountedWarning[];
  /** Its water reaches beyond it, so that its heights depend on those of other units. */
  readonly sharesWater: boolean;
}

export function hasData({ hasData: blocks }: Pick<MadeUnit, 'hasData'>): boolean {
  return blocks.includes(1);
}
