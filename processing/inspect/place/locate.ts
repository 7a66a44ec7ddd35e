import { middleOf, isWithin } from '@platen/formats/crs/area';
import { findCrs, type Crs } from '@platen/formats/crs/find-crs';
import { guessCrs } from '@platen/formats/crs/guess-crs';
import { isEmptyExtent, type Extent } from '@platen/formats/mesh/extent';
import { boxInLonLat, onEarth, type Box } from '../box.ts';
import { namedPlace, toldCrs, type Place, type Saying } from './named-place.ts';

export interface Placed extends Saying {
  /** Of the file, in the order of its axes. */
  readonly extent: Extent;
  /** As the file names it; undefined where it names none. */
  readonly crsText: string | undefined;
  /** Whether the file should have the order of axes of the authority. */
  readonly isAuthorityOrder: boolean;
}

export interface Location {
  readonly told: Place;
  /** Whether the northing or latitude stands first in the file. */
  readonly northingFirst: boolean;
  /** Whether x and y are degrees. */
  readonly isGeographic: boolean;
}

const nowhere: Location = { told: {}, northingFirst: false, isGeographic: false };
/** In degrees: what lies a little outside of where a CRS is meant to be used may well be right. */
const areaMargin = 1;

/** Where on earth a model lies, by what the file says and by what its coordinates look like. */
export function locate(placed: Placed): Location {
  const { crsText } = placed;
  if (crsText === undefined || crsText.trim() === '') return guessPlace(placed);
  const { crs, datum } = namedPlace(crsText, placed);
  if (!crs) return { ...nowhere, told: datum };
  const { bbox, northingFirst } = orient(crs, placed);
  return {
    told: {
      crs: toldCrs(crs, false),
      ...(bbox && { bbox }),
      ...datum,
    },
    northingFirst,
    isGeographic: crs.kind === 'lonLat' || crs.kind === 'geographic',
  };
}

/** Writers do not agree on the order of axes: where the other order puts the model into the CRS's area, it is that. */
function orient(
  crs: Crs,
  { extent, isAuthorityOrder, file, issues }: Placed,
): { bbox: Box | undefined; northingFirst: boolean } {
  const expected = crs.northingFirst && isAuthorityOrder;
  if (isEmptyExtent(extent)) return { bbox: undefined, northingFirst: expected };
  const straight = boxOf(crs, extent, expected);
  if (crs.area === undefined || isInArea(crs, straight)) return { bbox: straight, northingFirst: expected };
  const turned = boxOf(crs, extent, !expected);
  if (isInArea(crs, turned)) {
    const order = expected ? 'eastings or longitudes first' : 'northings or latitudes first';
    issues.add(
      'swappedAxes',
      `${file} has ${order}, against the order that ${crs.name} has there: it is taken so, as it lies in its area only then.`,
    );
    return { bbox: turned, northingFirst: !expected };
  }
  issues.add(
    'outsideCrsArea',
    `${file} lies outside of the area that ${crs.name} is meant for: make sure that this is its CRS.`,
  );
  return { bbox: straight, northingFirst: expected };
}

function boxOf(crs: Crs, { min, max }: Extent, northingFirst: boolean): Box | undefined {
  const box: Box = northingFirst ? [min[1], min[0], max[1], max[0]] : [min[0], min[1], max[0], max[1]];
  return onEarth(boxInLonLat(crs, box));
}

function isInArea({ area }: Crs, box: Box | undefined): boolean {
  return area !== undefined && box !== undefined && isWithin(area, middleOf(box), areaMargin);
}

function guessPlace({ extent, file, issues }: Placed): Location {
  if (isEmptyExtent(extent)) return nowhere;
  const { min, max } = extent;
  const corners = Float64Array.of(min[0], min[1], max[0], max[1]);
  const { verdict, suggestions } = guessCrs(corners, 2);
  const likely = suggestions.map(({ code, words }) => `${words} (${code})`).join(', or ');
  const [first] = suggestions;
  const hint =
    verdict === 'plausible' && Math.abs(min[0]) + Math.abs(max[1]) > 1
      ? 'Its coordinates look like degrees.'
      : likely && `Its coordinates may be ${likely}.`;
  issues.add(
    'noCrs',
    `${file} names no CRS, so it is not known where on earth it lies. ${hint}${hint && ' '}Find out which it is, and name it when a job asks for it.`,
  );
  if (verdict !== 'projected' || first === undefined || /northings first/.test(first.words)) return nowhere;
  const crs = findCrs(first.code);
  const bbox = boxOf(crs, { min, max }, false);
  return {
    ...nowhere,
    told: { crs: toldCrs(crs, true), ...(bbox && { bbox }) },
  };
}
