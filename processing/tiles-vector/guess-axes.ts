import { guessCrs } from '@platen/formats/crs/guess-crs';
import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';

/** Guesses what coordinates that are not longitudes and latitudes are, with advice; undefined if nothing fits. */
export function guessAxes({ coordinates, positionCount }: GeometryBuffer): string | undefined {
  const { verdict, suggestions } = guessCrs(coordinates, positionCount);
  if (verdict === 'swapped') return 'They look like latitude before longitude: swap the two.';
  if (verdict !== 'projected' || suggestions.length === 0) return undefined;
  const names = suggestions.map(({ code, words }) => `${code} (${words})`).join(', ');
  return `They look like ${names}: enter the CRS at the input.`;
}
