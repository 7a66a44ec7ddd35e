import type { JobContext } from '../job-type.ts';
import { rangeOfNumbers } from './range-of-numbers.ts';
import { needsRange } from './colour-plan.ts';
import type { ColourSettings } from './colour-settings.ts';
import type { SheetReader } from './read-sheets.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';

const windowSide = 128;
/** Windows of a sheet in a row. */
const windowsAcross = 3;
const maxSheets = 50;

/**
 * Chooses what becomes black and what white by a sample of all sheets, so that all have the same contrast. One range for all
 * bands keeps colours as they are.
 */
export async function withRange(
  sheets: readonly MosaicSheet[],
  reader: SheetReader,
  { range: wanted, stretch }: Pick<ColourSettings, 'range' | 'stretch'>,
  context: JobContext,
): Promise<MosaicSheet[]> {
  const isForced = (wanted ?? stretch) !== undefined;
  const isStretched = ({ raster }: MosaicSheet) => raster && (isForced || needsRange(raster));
  const stretched = sheets.filter(isStretched);
  const range =
    wanted ??
    (stretched.length > 0
      ? rangeOfNumbers(await sampleNumbers(sheets, stretched, reader), stretch)
      : undefined);
  if (!range) return sheets.map(withBits);
  context.log('info', `Values from ${range[0]} to ${range[1]} are shown from black to white.`, { range });
  return sheets.map((sheet) =>
    isStretched(sheet) && !sheet.colours.palette ? setRange(sheet, range) : withBits(sheet),
  );
}

/** Fewer bits than 8 go from black to white, whatever the range of the others. */
function withBits(sheet: MosaicSheet): MosaicSheet {
  const bits = sheet.raster?.bits ?? 8;
  return bits < 8 && !sheet.colours.palette ? setRange(sheet, [0, 2 ** bits - 1]) : sheet;
}

function setRange(sheet: MosaicSheet, range: readonly [number, number]): MosaicSheet {
  return { ...sheet, colours: { ...sheet.colours, range } };
}

/** Numbers of shown pixels, in a sample of some of all sheets. */
export async function sampleNumbers(
  all: readonly MosaicSheet[],
  sheets: readonly MosaicSheet[],
  reader: SheetReader,
): Promise<number[]> {
  const found: number[] = [];
  const step = Math.max(1, Math.floor(sheets.length / maxSheets));
  for (let i = 0; i < sheets.length; i += step) {
    const sheet = sheets[i]!;
    const { bands, shown, noData, noDataOfBands, alphaBand } = sheet.colours;
    for (let place = 0; place < windowsAcross ** 2; place++) {
      const start = (number: number, size: number): number =>
        Math.max(0, Math.floor(((number + 0.5) / windowsAcross) * size - windowSide / 2));
      const column = start(place % windowsAcross, sheet.width);
      const row = start(Math.floor(place / windowsAcross), sheet.height);
      const width = Math.min(windowSide, sheet.width - column);
      const height = Math.min(windowSide, sheet.height - row);
      const square = await reader.readSamples(all.indexOf(sheet), { column, row, width, height });
      if (!square) continue;
      const { samples, mask } = square;
      for (let pixel = 0; pixel < width * height; pixel += 3) {
        if (mask?.[pixel] === 0) continue;
        if (alphaBand !== undefined && samples[pixel * bands + alphaBand] === 0) continue;
        for (const band of shown) {
          const value = samples[pixel * bands + band]!;
          const isNothing = noDataOfBands ? value === noDataOfBands[band] : noData.includes(value);
          if (Number.isFinite(value) && !isNothing) found.push(value);
        }
      }
    }
  }
  return found;
}
