import { middleOf, isWithin } from '@platen/formats/crs/area';
import { findCrs, type Crs } from '@platen/formats/crs/find-crs';
import { guessCrs } from '@platen/formats/crs/guess-crs';
import { isEmptyExtent, type Extent } from '@platen/formats/mesh/extent';
import { boxInLonLat, onEarth, type Box } from '../box.ts';
import { resolvePlace, describeCrs, type Place, type PlaceContext } from './resolve-place.ts';

export interface LocatableModel extends PlaceContext {
  /** In the file's own axis order. */
  readonly extent: Extent;
  /** The CRS as the file names it; undefined if it names none. */
  readonly crsText: string | undefined;
  /** Whether the format prescribes the axis order of the CRS authority. */
  readonly isAuthorityOrder: boolean;
}

export interface Location {
  readonly place: Place;
  /** Whether the file has the northing or latitude first. */
  readonly northingFirst: boolean;
  /** Whether x and y are degrees. */
  readonly isGeographic: boolean;
}

const unknownLocation: Location = { place: {}, northingFirst: false, isGeographic: false };
/** Tolerance in degrees: data slightly outside a CRS's area of use may be correct. */
const areaMargin = 1;

/** Locates a model on earth by its CRS, or by a guess from its coordinates. */
export function locate(model: LocatableModel): Location {
  const { crsText } = model;
  if (crsText === undefined || crsText.trim() === '') return guessLocation(model);
  const { crs, datum } = resolvePlace(crsText, model);
  if (!crs) return { ...unknownLocation, place: datum };
  const { bbox, northingFirst } = chooseAxisOrder(crs, model);
  return {
    place: {
      crs: describeCrs(crs, false),
      ...(bbox && { bbox }),
      ...datum,
    },
    northingFirst,
    isGeographic: crs.kind === 'lonLat' || crs.kind === 'geographic',
  };
}

/**
 * Writers disagree on the axis order, so the swapped order is used if only that puts the model into the CRS's area of
 * use.
 */
function chooseAxisOrder(
  crs: Crs,
  { extent, isAuthorityOrder, file, issues }: LocatableModel,
): { bbox: Box | undefined; northingFirst: boolean } {
  const expected = crs.northingFirst && isAuthorityOrder;
  if (isEmptyExtent(extent)) return { bbox: undefined, northingFirst: expected };
  const asExpected = boxOf(crs, extent, expected);
  if (crs.area === undefined || isInArea(crs, asExpected))
    return { bbox: asExpected, northingFirst: expected };
  const swapped = boxOf(crs, extent, !expected);
  if (isInArea(crs, swapped)) {
    const order = expected ? 'eastings or longitudes first' : 'northings or latitudes first';
    issues.add(
      'swappedAxes',
      `${file} has ${order}, unlike ${crs.name}. This order is used, because only then the data is inside the area of use of the CRS.`,
    );
    return { bbox: swapped, northingFirst: !expected };
  }
  issues.add(
    'outsideCrsArea',
    `${file} is outside the area of use of ${crs.name}. Check whether this is the right CRS.`,
  );
  return { bbox: asExpected, northingFirst: expected };
}

function boxOf(crs: Crs, { min, max }: Extent, northingFirst: boolean): Box | undefined {
  const box: Box = northingFirst ? [min[1], min[0], max[1], max[0]] : [min[0], min[1], max[0], max[1]];
  return onEarth(boxInLonLat(crs, box));
}

function isInArea({ area }: Crs, box: Box | undefined): boolean {
  return area !== undefined && box !== undefined && isWithin(area, middleOf(box), areaMargin);
}

function guessLocation({ extent, file, issues }: LocatableModel): Location {
  if (isEmptyExtent(extent)) return unknownLocation;
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
    `${file} has no coordinate reference system. ${hint}${hint && ' '}Find out which one it uses, and enter it when a job asks for it.`,
  );
  if (verdict !== 'projected' || first === undefined || /northings first/.test(first.words))
    return unknownLocation;
  const crs = findCrs(first.code);
  const bbox = boxOf(crs, { min, max }, false);
  return {
    ...unknownLocation,
    place: { crs: describeCrs(crs, true), ...(bbox && { bbox }) },
  };
}
