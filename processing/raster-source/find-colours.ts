import type { StyleLegend } from '@platen/styles/legend';
import type { JobContext } from '../job-type.ts';
import { legendOfRamp, namedRamp, type ColourRamp } from './colour-ramp.ts';
import type { ColourSettings } from './colour-settings.ts';
import { sampleNumbers, withRange } from './find-range.ts';
import { rangeOfNumbers } from './range-of-numbers.ts';
import { legendOfPalette } from './palette-legend.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';
import type { SheetReader } from './read-sheets.ts';

export interface FoundColours {
  readonly sheets: readonly MosaicSheet[];
  /** Undefined: colours have no meaning that is known. */
  readonly legend: readonly StyleLegend[] | undefined;
}

/** Decides how the numbers of all sheets become colours, by a sample where the settings leave it open. */
export async function findColours(
  sheets: readonly MosaicSheet[],
  reader: SheetReader,
  { settings, context }: { readonly settings: ColourSettings; readonly context: JobContext },
): Promise<FoundColours> {
  const { ramp: name, stops, isClassed, gamma, range, stretch } = settings;
  if (name === undefined && stops === undefined) {
    const ranged = await withRange(sheets, reader, settings, context);
    return {
      sheets: ranged.map((sheet) => setColours(sheet, { gamma })),
      legend: await legendOfPalette(sheets, reader),
    };
  }
  const single = sheets.map((sheet) => setColours(sheet, { shown: sheet.colours.shown.slice(0, 1) }));
  const ends = stops
    ? undefined
    : (range ?? rangeOfNumbers(await sampleNumbers(single, single, reader), stretch));
  if (ends) context.log('info', `Values from ${ends[0]} to ${ends[1]} are coloured.`, { range: ends });
  const ramp: ColourRamp = ends ? namedRamp(name!, ends, gamma) : { stops: stops!, isClassed };
  return {
    sheets: single.map((sheet) => setColours(sheet, { ramp }, ramp.isClassed)),
    legend: legendOfRamp(ramp),
  };
}

function setColours(
  sheet: MosaicSheet,
  change: Partial<MosaicSheet['colours']>,
  isNearest = false,
): MosaicSheet {
  const colours = { ...sheet.colours, ...change };
  return { ...sheet, colours, isNearest: sheet.isNearest || isNearest };
}
