import { JobFailure } from '../../job-type.ts';

/** The colour of pixels that are hidden. Plain data. */
export interface HiddenColour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  /** What each of them may be off. */
  readonly tolerance: number;
}

/** Which collar of sheets is taken off. */
export interface CollarSettings {
  readonly isDark: boolean;
  readonly isLight: boolean;
  readonly tolerance: number;
}

/** What sheets hide besides their own masks and no data. Plain data. */
export interface MaskSettings {
  /** Numbers that mean nothing in any band, instead of the one of the file. */
  readonly noData: readonly number[] | undefined;
  /** One for each band. */
  readonly noDataOfBands: readonly number[] | undefined;
  readonly colour: HiddenColour | undefined;
  readonly collar: CollarSettings | undefined;
  /** Pixels of a sheet from its edge to where it is shown alone. */
  readonly feather: number;
}

export interface MaskOptions {
  readonly noData?: readonly number[];
  readonly noDataOfBands?: readonly number[];
  readonly colour?: string;
  readonly collar?: string;
  readonly tolerance?: number;
  readonly feather?: number;
}

/** Of the noise of JPEG and of scanners. */
const usualTolerance = 10;

/** The option `mask`. @throws JobFailure where it contradicts itself */
export function readMask({
  noData,
  noDataOfBands,
  colour,
  collar = 'none',
  tolerance = usualTolerance,
  feather = 0,
}: MaskOptions): MaskSettings {
  if (noData && noDataOfBands)
    throw new JobFailure(
      'invalidOption',
      'mask.noData and mask.noDataOfBands say the same in two ways. Remove one of them.',
    );
  const value = colour === undefined ? 0 : Number.parseInt(colour.slice(1), 16);
  return {
    noData,
    noDataOfBands,
    colour:
      colour === undefined
        ? undefined
        : { red: value >> 16, green: (value >> 8) & 255, blue: value & 255, tolerance },
    collar:
      collar === 'none' ? undefined : { isDark: collar !== 'white', isLight: collar !== 'black', tolerance },
    feather,
  };
}
