import type { ClassColour } from '@platen/formats/image/class-names';
import { photometric, tag } from '@platen/formats/geotiff/tags';
import { JobFailure } from '../job-type.ts';
import type { RasterPixels, RasterSheet } from './raster-sheet.ts';
import type { MaskSettings } from './mask/mask-settings.ts';
import type { ColourPlan } from './plan-of-colours.ts';

/** How sheets are shown. */
export interface ShownSheets {
  /** The numbers of the bands that are shown; the first is 1. */
  readonly bands: readonly number[] | undefined;
  readonly mask: MaskSettings;
  /** Colours of the numbers of the first band, by the attribute table beside the file. */
  readonly classColours?: ReadonlyMap<number, ClassColour> | undefined;
}

/** Of a JPEG, PNG or WebP, which is decoded as RGBA. */
const picturePlan: ColourPlan = {
  bands: 4,
  shown: [0, 1, 2],
  alphaBand: 3,
  noData: [],
  noDataOfBands: undefined,
  hidden: undefined,
  range: undefined,
  gamma: 1,
  ramp: undefined,
  isInverted: false,
  palette: undefined,
  isCmyk: false,
  isLab: false,
};

/** @throws JobFailure */
export function colourPlanOfPicture(name: string, { mask }: ShownSheets): ColourPlan {
  const hides = { noData: mask.noData ?? [], noDataOfBands: mask.noDataOfBands, hidden: mask.colour };
  return withChecks({ ...picturePlan, ...hides }, name);
}

/**
 * How a sheet becomes colours, but for the range of its numbers, which depends on all sheets.
 * @throws JobFailure
 */
export function colourPlanOf(
  sheet: RasterSheet,
  { bands: wanted, mask, classColours }: ShownSheets,
): ColourPlan {
  const { bands, alphaBand, photometric: colours, meaningTags, name } = sheet;
  const missing = wanted?.find((band) => band > bands);
  if (missing !== undefined)
    throw new JobFailure(
      'invalidOption',
      `colour.bands names band ${missing}, but ${name} has ${bands} ${bands === 1 ? 'band' : 'bands'}.`,
    );
  const isCmyk = colours === photometric.cmyk && bands >= 4;
  const plain = Array.from({ length: bands }, (_, band) => band).filter((band) => band !== alphaBand);
  const usual = plain.length >= 3 ? plain.slice(0, 3) : plain.slice(0, 1);
  const values = meaningTags.find(({ id }) => id === tag.colourMap)?.values;
  const palette = colours === photometric.palette && values ? Float64Array.from(values) : undefined;
  const isPlain = plain.length === 1 && sheet.sampleType === 'uint8' && colours === photometric.blackIsZero;
  const declared = sheet.noData === undefined ? [] : [sheet.noData];
  const plan = {
    bands,
    shown: wanted?.map((band) => band - 1) ?? usual,
    alphaBand,
    noData: mask.noData ?? declared,
    noDataOfBands: mask.noDataOfBands,
    hidden: mask.colour,
    range: undefined,
    gamma: 1,
    ramp: undefined,
    isInverted: colours === photometric.whiteIsZero,
    palette: palette ?? (classColours && isPlain ? paletteOf(classColours) : undefined),
    isCmyk,
    isLab: colours === photometric.lab && bands >= 3,
  };
  return withChecks(plan, name);
}

/** Numbers without a colour stay grey. */
function paletteOf(colours: ReadonlyMap<number, ClassColour>): Float64Array {
  const palette = Float64Array.from({ length: 768 }, (_, i) => (i & 255) * 257);
  for (const [value, colour] of colours)
    if (Number.isInteger(value) && value >= 0 && value < 256)
      for (const [i, one] of colour.entries()) palette[i * 256 + value] = one * 257;
  return palette;
}

function withChecks(plan: ColourPlan, name: string): ColourPlan {
  const { shown, noDataOfBands } = plan;
  const needed = Math.max(...shown) + 1;
  if (noDataOfBands && noDataOfBands.length < needed)
    throw new JobFailure(
      'invalidOption',
      `mask.noDataOfBands has ${noDataOfBands.length} values, but ${name} shows band ${needed}. Name a value for each band.`,
    );
  return plan;
}

/** Whether the numbers of a sheet are no colours, and a range of them must be chosen. */
export function needsRange({ sampleType, bits, photometric: colours }: RasterPixels): boolean {
  const areColours = colours === photometric.palette || colours === photometric.lab;
  return !areColours && sampleType !== 'uint8' && bits > 1;
}
