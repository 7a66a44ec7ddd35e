import type { StyleLegend } from '@platen/styles/legend';
import { formatColour } from '@platen/geo/canvas/colour';
import { legendOfRamp, type ColourStop } from './colour-ramp.ts';
import { sampleNumbers } from './find-range.ts';
import type { MosaicSheet } from './mosaic-sheet.ts';
import type { SheetReader } from './read-sheets.ts';

/** More are no classes. */
const maxClasses = 40;

/**
 * The legend of sheets that have the same palette: of the classes that have names, otherwise of the numbers in a sample.
 * @returns undefined if the sheets are coloured in another way, or have more classes than a legend can tell
 */
export async function legendOfPalette(
  sheets: readonly MosaicSheet[],
  reader: SheetReader,
): Promise<readonly StyleLegend[] | undefined> {
  const { palette, noData } = sheets[0]!.colours;
  if (!palette || !sheets.every(({ colours }) => isEqual(colours.palette, palette))) return undefined;
  const names = new Map(sheets.flatMap(({ classNames = [] }) => classNames));
  const values = names.size > 0 ? names.keys() : await sampleNumbers(sheets, sheets, reader);
  const size = palette.length / 3;
  const shown = [...new Set(values)].filter((value) => value < size && !noData.includes(value));
  if (shown.length === 0 || shown.length > maxClasses) return undefined;
  const stops = shown
    .toSorted((a, b) => a - b)
    .map((value): ColourStop => ({
      value,
      colour: formatColour([
        byteOf(palette[value]!),
        byteOf(palette[size + value]!),
        byteOf(palette[2 * size + value]!),
      ]),
      title: names.get(value) ?? String(value),
    }));
  return legendOfRamp({ stops, isClassed: true });
}

const byteOf = (sample: number): number => Math.round(sample / 257);

function isEqual(one: Float64Array | undefined, other: Float64Array): boolean {
  return one?.length === other.length && one.every((value, i) => value === other[i]);
}
