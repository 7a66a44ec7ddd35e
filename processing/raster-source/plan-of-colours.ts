import type { ColourRamp } from './colour-ramp.ts';
import type { HiddenColour } from './mask/mask-settings.ts';

/** How the numbers of a sheet become colours. Plain data. */
export interface ColourPlan {
  /** Bands of the sheet. */
  readonly bands: number;
  /** The bands of red, green and blue; one for all three is grey. */
  readonly shown: readonly number[];
  readonly alphaBand: number | undefined;
  /** Numbers that mean nothing, in any band. */
  readonly noData: readonly number[];
  /** Instead, one for each band. */
  readonly noDataOfBands: readonly number[] | undefined;
  readonly hidden: HiddenColour | undefined;
  /** The numbers that become black and white; undefined: they are colours of 8 bits. */
  readonly range: readonly [low: number, high: number] | undefined;
  /** Above 1, what is dark becomes lighter. */
  readonly gamma: number;
  /** Colours of the first shown band, whatever else is said of its numbers. */
  readonly ramp: ColourRamp | undefined;
  readonly isInverted: boolean;
  /** Red, then green, then blue of all numbers, in 16 bits. */
  readonly palette: Float64Array | undefined;
  /** Cyan, magenta, yellow, black. */
  readonly isCmyk: boolean;
  /** CIELab, as TIFF has it. */
  readonly isLab: boolean;
}
