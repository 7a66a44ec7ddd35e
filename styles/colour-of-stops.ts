import { formatColour, parseColour, rampColour } from '@platen/geo/canvas/colour';

interface ColourStop {
  readonly value: number;
  readonly colour: string;
}

/** The colour of a number on a continuous scale, `#rrggbb`: interpolated between two stops, that of the end beyond. */
export function colourOfStops(stops: readonly ColourStop[], value: number): string {
  const above = stops.findIndex((stop) => value < stop.value);
  if (above === 0) return stops[0]!.colour;
  if (above < 0) return stops.at(-1)!.colour;
  const [before, after] = [stops[above - 1]!, stops[above]!];
  const share = (value - before.value) / (after.value - before.value || 1);
  const [red, green, blue] = rampColour([parseColour(before.colour), parseColour(after.colour)], share);
  return formatColour([Math.round(red), Math.round(green), Math.round(blue)]);
}
