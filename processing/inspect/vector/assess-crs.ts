import type { InspectedLayer } from '@platen/contract/inspect';
import { findCrs } from '@platen/formats/crs/find-crs';
import { guessCrs } from '@platen/formats/crs/guess-crs';
import { areDegrees } from '../box.ts';
import type { Issues } from '../issues.ts';
import { describeCrs } from '../place/resolve-place.ts';
import type { LayerSample } from './sample-layer.ts';

export interface CrsAssessment {
  readonly crs: InspectedLayer['crs'];
  /**
   * `named`: the CRS that the sample was read in; `guessed`: the input has to name this CRS; `unknown`: no CRS fits.
   */
  readonly kind: 'named' | 'guessed' | 'unknown';
}

/** Formats whose standards allow longitude and latitude only. */
const alwaysLonLat = new Set(['geojson', 'kml', 'gpx']);
/** A smaller share of positions outside is a mistake in the data; a larger one means another CRS. */
const maxOutsideShare = { others: 0.05, alwaysLonLat: 0.5 };

/** Determines a layer's CRS from what the file names and from its coordinates. */
export function assessCrs(
  { crs, isCrsUnknown, positions }: LayerSample,
  { file, format, issues }: { file: string; format: string; issues: Issues },
): CrsAssessment {
  if (isCrsUnknown) return { crs: undefined, kind: 'unknown' };
  if (crs !== undefined && crs.kind !== 'lonLat') return { crs: describeCrs(crs, false), kind: 'named' };
  const outside = outsideOf(positions);
  const count = outside.length / 2;
  const isSure = crs !== undefined || alwaysLonLat.has(format);
  const maxShare = alwaysLonLat.has(format) ? maxOutsideShare.alwaysLonLat : maxOutsideShare.others;
  if (count * 2 <= positions.length * maxShare) {
    if (count > 0) {
      const first = `${outside[0]}, ${outside[1]}`;
      const message = `Positions of ${file} are not valid longitudes and latitudes, although others are. The first one is ${first}.`;
      issues.add('outsideDegrees', message, count);
    }
    const lonLat = crs ?? findCrs('EPSG:4326');
    return positions.length === 0 && !isSure
      ? { crs: undefined, kind: 'unknown' }
      : { crs: describeCrs(lonLat, !isSure), kind: 'named' };
  }
  return guessProjectedCrs(outside, { file, named: crs?.name, issues });
}

function outsideOf(positions: Float64Array): Float64Array {
  const outside: number[] = [];
  for (let i = 0; i < positions.length; i += 2)
    if (!areDegrees(positions[i]!, positions[i + 1]!)) outside.push(positions[i]!, positions[i + 1]!);
  return Float64Array.from(outside);
}

function guessProjectedCrs(
  outside: Float64Array,
  { file, named, issues }: { file: string; named: string | undefined; issues: Issues },
): CrsAssessment {
  const { verdict, suggestions } = guessCrs(outside, outside.length / 2);
  const contradiction = named === undefined ? '' : `, although it names ${named}`;
  if (verdict === 'swapped') {
    const message = `The coordinates of ${file} seem to be latitude before longitude. Swap them, and upload the file again.`;
    issues.add('swappedAxes', message);
    return { crs: undefined, kind: 'unknown' };
  }
  const [first] = suggestions;
  const likely = suggestions.map(({ code, words }) => `${words} (${code})`).join(', or ');
  const advice = first === undefined ? 'Find out its CRS' : `They may be ${likely}. Check which one it is`;
  issues.add(
    'projectedCoordinates',
    `The coordinates of ${file} are not longitudes and latitudes${contradiction}. ${advice}, and enter it as the CRS of the input.`,
  );
  // a guess that also needs swapped axes is of no use
  if (first === undefined || /northings first/.test(first.words)) return { crs: undefined, kind: 'unknown' };
  return { crs: describeCrs(findCrs(first.code), true), kind: 'guessed' };
}
