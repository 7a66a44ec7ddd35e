import { isWithin } from '@platen/formats/crs/area';
import { findCrs, type Crs } from '@platen/formats/crs/find-crs';
import { guessCrs } from '@platen/formats/crs/guess-crs';
import { areDegrees, boxInLonLat, onEarth, type Box } from '../box.ts';
import { resolvePlace, describeCrs, type Place, type PlaceContext } from './resolve-place.ts';

const areaMargin = 2;

/**
 * Places a box in the file's own coordinates on earth.
 * @param text the CRS as findCrs takes it; undefined: it is guessed from the coordinates
 */
export function placeBox(text: string | undefined, box: Box | undefined, context: PlaceContext): Place {
  if (text === undefined) {
    if (box === undefined) return {};
    reportMissingCrs(box, context);
    return guessPlace(box, context);
  }
  const { file, issues } = context;
  const { crs, datum } = resolvePlace(text, context);
  if (!crs) return datum;
  const place = { crs: describeCrs(crs, false), ...datum };
  if (box === undefined) return place;
  if (crs.kind === 'lonLat' && !areAllDegrees(box)) return reportContradiction(box, crs, context);
  const around = boxInLonLat(crs, box);
  const bbox = around.every(Number.isFinite) ? onEarth(around) : undefined;
  if (bbox === undefined || !touches(crs, box, around))
    issues.add(
      'outsideCrsArea',
      `${file} is outside the area of use of ${crs.name}. Check whether this is the right CRS.`,
    );
  return { ...place, ...(bbox && { bbox }) };
}

/** Data larger than the area of use are accepted if their middle is inside. */
function touches(crs: Crs, box: Box, around: Box): boolean {
  return crs.area === undefined || isWithin(crs.area, middleOf(crs, box, around), areaMargin);
}

/** That of a projected box is transformed: one that crosses 180° is all around the world in degrees. */
function middleOf(crs: Crs, box: Box, around: Box): readonly [lon: number, lat: number] {
  if (crs.kind === 'projected') {
    const at = Float64Array.of((box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
    crs.toLonLat(at, 1);
    if (at.every(Number.isFinite)) return [at[0]!, at[1]!];
  }
  return [(around[0] + around[2]) / 2, (around[1] + around[3]) / 2];
}

/** Pixels and rounding may exceed the poles and ±180° slightly. */
const degreesMargin = 1;

function areAllDegrees([west, south, east, north]: Box): boolean {
  const inwards = (value: number) => value - Math.sign(value) * degreesMargin;
  return areDegrees(inwards(west), inwards(south)) && areDegrees(inwards(east), inwards(north));
}

function reportContradiction(box: Box, named: Crs, context: PlaceContext): Place {
  const { file, issues } = context;
  const likely = likelySystems(box, context);
  const advice = likely === '' ? 'Find out its CRS' : `They may be ${likely}`;
  issues.add(
    'projectedCoordinates',
    `The coordinates of ${file} are not longitudes and latitudes, although it names ${named.name}. ${advice}, and write the right one into the file.`,
  );
  return likelyPlace(box, context);
}

/** Reports coordinates that are geocentric according to their file, and cannot be. */
export function reportWrongGeocentric(box: Box, context: PlaceContext): void {
  const likely = likelySystems(box, context);
  context.issues.add(
    'projectedCoordinates',
    `${context.file} says that its coordinates are geocentric, but they are not on the surface of the earth. ${likely && `They may be ${likely}. `}Find out its CRS, and set it in the task or write it into the file.`,
  );
}

const suggestionsOf = (box: Box, { area }: Pick<PlaceContext, 'area'>) =>
  guessCrs(Float64Array.from(box), 2, area).suggestions;

/** The systems that coordinates may be in, for a sentence; empty if nothing is likely. */
function likelySystems(box: Box, context: Pick<PlaceContext, 'area'>): string {
  return suggestionsOf(box, context)
    .map(({ code, words }) => `${words} (${code})`)
    .join(', or ');
}

/** Where the likeliest system puts a box, which has its northings second. */
export function likelyPlace(box: Box, context: Pick<PlaceContext, 'area'>): Place {
  const systems = suggestionsOf(box, context).filter(({ words }) => !/northings first/.test(words));
  const [first, ...others] = systems.map(({ code }) => findCrs(code));
  if (first === undefined) return {};
  const bbox = onEarth(boxInLonLat(first, box));
  const candidates = [first, ...others].map(({ code, name }) => ({ code: code!, name }));
  return { crs: { ...describeCrs(first, true), candidates }, ...(bbox && { bbox }) };
}

/** Reports coordinates whose system their file does not name. */
export function reportMissingCrs(box: Box, context: PlaceContext): void {
  const { file, issues } = context;
  if (areCornersDegrees(box)) {
    const message = `${file} has no coordinate reference system. Its coordinates are assumed to be longitude and latitude (EPSG:4326).`;
    issues.add('missingCrs', message);
    return;
  }
  const likely = likelySystems(box, context);
  const advice = likely === '' ? '' : ` Its coordinates may be ${likely}.`;
  issues.add(
    'missingCrs',
    `${file} has no coordinate reference system.${advice} Ask the data provider for it, and add it to the file or to a .prj next to it.`,
  );
}

/** Where a box is whose coordinate system is unknown. */
export function guessPlace(box: Box, context: Pick<PlaceContext, 'area'>): Place {
  if (!areCornersDegrees(box)) return likelyPlace(box, context);
  return { crs: describeCrs(findCrs('EPSG:4326'), true), bbox: box };
}

const areCornersDegrees = ([west, south, east, north]: Box): boolean =>
  areDegrees(west, south) && areDegrees(east, north);
