import { formatColour, parseColour, rampColour, type Colour } from '@platen/geo/canvas/colour';
import { heightRamp } from '@platen/geo/canvas/height-ramp';
import { legendOf, type StyleLegend } from '@platen/styles/legend';
import { paletteColours } from '@platen/styles/palettes';
import type { RampName } from './ramp-names.ts';

/** A colour that begins at a value, or that the value has. */
export interface ColourStop {
  readonly value: number;
  readonly colour: string;
  /** What the legend calls it; its value by default. */
  readonly title?: string | undefined;
}

/** Colours of the numbers of one band. Plain data. */
export interface ColourRamp {
  /** In ascending order of their values, one at least. */
  readonly stops: readonly ColourStop[];
  /** Each colour reaches from its value to the next. Otherwise colours between two values are interpolated. */
  readonly isClassed: boolean;
}

/** As many as the largest palettes of ColorBrewer have. */
const namedStops = 9;

/** The colours of a named ramp between two numbers; a gamma above 1 spends more of them on low numbers. */
export function namedRamp(
  name: RampName,
  [low, high]: readonly [low: number, high: number],
  gamma: number,
): ColourRamp {
  const colours = coloursOf(name);
  if (!(low < high))
    return { stops: [{ value: low, colour: colours[colours.length >> 1]! }], isClassed: false };
  const stops = colours.map((colour, i) => ({
    value: low + (high - low) * (i / (colours.length - 1)) ** gamma,
    colour,
  }));
  return { stops, isClassed: false };
}

function coloursOf(name: RampName): readonly string[] {
  if (name === 'Grey') return ['#000000', '#ffffff'];
  return name === 'Terrain' ? heightRamp.map(formatColour) : paletteColours(name, namedStops)!;
}

/** Writes the colour of a number as three bytes. Beyond the ends, the first and the last colour go on. */
export type WriteColour = (value: number, rgba: Uint8Array, to: number) => void;

export function colourWriter({ stops, isClassed }: ColourRamp): WriteColour {
  const values = Float64Array.from(stops, ({ value }) => value);
  const colours = stops.map(({ colour }) => parseColour(colour));
  const last = values.length - 1;
  return (value, rgba, to) => {
    const at = lastNotAbove(values, value);
    const from = colours[at]!;
    const isPlain = isClassed || at === last || value <= values[at]!;
    put(rgba, to, isPlain ? from : rampColour([from, colours[at + 1]!], shareOf(values, at, value)));
  };
}

function put(rgba: Uint8Array, to: number, [red, green, blue]: Colour): void {
  rgba[to] = Math.round(red);
  rgba[to + 1] = Math.round(green);
  rgba[to + 2] = Math.round(blue);
}

function shareOf(values: Float64Array, at: number, value: number): number {
  return (value - values[at]!) / (values[at + 1]! - values[at]!);
}

/** The number of the last value that is not above another one; 0 if all are. */
function lastNotAbove(values: Float64Array, value: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if (values[middle]! <= value) from = middle;
    else to = middle - 1;
  }
  return from;
}

/** Numbers as they are written in Switzerland, such as 12'345.6, are understood in all languages. */
const words = { locale: 'en-CH', others: '', noValue: '' };

/** The legend of a ramp, as map viewers read it from the properties of a datasource. */
export function legendOfRamp({ stops, isClassed }: ColourRamp): StyleLegend[] {
  const isTitled = stops.some(({ title }) => title !== undefined);
  const colour = isClassed || isTitled ? categories(stops, isClassed) : continuous(stops);
  return legendOf({ colour, outline: null, opacity: 1 }, 'area', words);
}

function continuous(stops: readonly ColourStop[]) {
  const plain = stops.map(({ value, colour }) => ({ value, colour }));
  return { type: 'continuous', attribute: 'value', stops: plain } as const;
}

function categories(stops: readonly ColourStop[], isClassed: boolean) {
  const numbers = new Intl.NumberFormat(words.locale, { maximumSignificantDigits: 6 });
  const titleOf = ({ value, title }: ColourStop, i: number): string => {
    if (title) return title;
    const next = stops[i + 1]?.value;
    if (!isClassed) return numbers.format(value);
    return next === undefined
      ? `≥ ${numbers.format(value)}`
      : `${numbers.format(value)} – ${numbers.format(next)}`;
  };
  return {
    type: 'categories',
    attribute: 'value',
    categories: stops.map((stop, i) => ({
      values: [stop.value],
      colour: stop.colour,
      title: titleOf(stop, i),
    })),
  } as const;
}
