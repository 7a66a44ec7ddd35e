import type { InspectedLayer } from '@platen/contract/inspect';
import { findCrs } from '@platen/formats/crs/find-crs';
import { guessCrs } from '@platen/formats/crs/guess-crs';
import { areDegrees } from '../box.ts';
import type { Issues } from '../issues.ts';
import type { LayerSample } from './sample-layer.ts';

export interface CrsJudgement {
  readonly crs: InspectedLayer['crs'];
  /** `named`: as the sample was read; `guessed`: the code of `crs` is to be named; `unknown`: nothing can be made of it. */
  readonly kind: 'named' | 'guessed' | 'unknown';
}

/** Formats whose standards know longitude and latitude only. */
const alwaysLonLat = new Set(['geojson', 'kml', 'gpx']);
/** A few positions elsewhere are mistakes, more of them another CRS. */
const fewOutside = 0.05;

/** What coordinates are, by what the file says and by what they look like. */
export function judgeCrs(
  { crs, isCrsUnknown, positions }: LayerSample,
  { file, format, issues }: { file: string; format: string; issues: Issues },
): CrsJudgement {
  if (isCrsUnknown) return { crs: undefined, kind: 'unknown' };
  if (crs !== undefined && crs.kind !== 'lonLat') return { crs: told(crs, false), kind: 'named' };
  const outside = outsideOf(positions);
  const count = outside.length / 2;
  if (count * 2 <= positions.length * fewOutside) {
    if (count > 0) {
      const message = `Positions of ${file} are no longitude and latitude, though most are.`;
      issues.add('outsideDegrees', message, count);
    }
    const isSure = crs !== undefined || alwaysLonLat.has(format);
    const lonLat = crs ?? findCrs('EPSG:4326');
    return positions.length === 0 && !isSure
      ? { crs: undefined, kind: 'unknown' }
      : { crs: told(lonLat, !isSure), kind: 'named' };
  }
  return guessOther(outside, { file, named: crs?.name, issues });
}

function outsideOf(positions: Float64Array): Float64Array {
  const outside: number[] = [];
  for (let i = 0; i < positions.length; i += 2)
    if (!areDegrees(positions[i]!, positions[i + 1]!)) outside.push(positions[i]!, positions[i + 1]!);
  return Float64Array.from(outside);
}

function guessOther(
  outside: Float64Array,
  { file, named, issues }: { file: string; named: string | undefined; issues: Issues },
): CrsJudgement {
  const { verdict, suggestions } = guessCrs(outside, outside.length / 2);
  const saying = named === undefined ? '' : `, though it says ${named}`;
  if (verdict === 'swapped') {
    const message = `The coordinates of ${file} look like latitudes before longitudes: exchange them, and upload the file again.`;
    issues.add('swappedAxes', message);
    return { crs: undefined, kind: 'unknown' };
  }
  const [first] = suggestions;
  const likely = suggestions.map(({ code, words }) => `${words} (${code})`).join(', or ');
  const advice = first === undefined ? 'Find out its CRS' : `They may be ${likely}. Make sure which it is`;
  issues.add(
    'projectedCoordinates',
    `The coordinates of ${file} are no longitudes and latitudes${saying}. ${advice}, and name it as the crs of the input.`,
  );
  // a guess that also has to be turned round is none to go on with
  if (first === undefined || /northings first/.test(first.words)) return { crs: undefined, kind: 'unknown' };
  return { crs: told(findCrs(first.code), true), kind: 'guessed' };
}

function told({ code, name }: { code?: string; name: string }, isGuessed: boolean): InspectedLayer['crs'] {
  return { ...(code !== undefined && { code }), name, isGuessed };
}
