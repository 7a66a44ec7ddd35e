import { findCrs, UnknownCrs, type Crs } from '@platen/formats/crs/find-crs';
import { isGeocentric } from '@platen/formats/crs/is-geocentric';
import { geocentricBox } from '@platen/geo/geodesy/geocentric-box';
import type { Quad } from '@platen/geo/raster/sheet-coverage';
import { emptyBox, growBox, type Box } from '../box.ts';
import { reportMissingCrs, reportWrongGeocentric } from '../place/place-box.ts';
import { areLocal } from '../point-cloud/are-local.ts';
import { describeCrs, type Place, type PlaceContext } from '../place/resolve-place.ts';
import { boxOfQuad, guessCrsOfSheets } from '../sheets/locate-sheets.ts';
import type { PointHeader } from './read-point-header.ts';

/** A sheet of points with its place on Earth. */
export interface PlacedPoints {
  readonly header: PointHeader;
  /** Code, or name if it has no code. */
  readonly system: string;
  /** Longitude and latitude of the corners of its box. */
  readonly quad: Quad;
  readonly box: Box;
}

export interface PlacedPointSheets {
  readonly placed: readonly PlacedPoints[];
  /** Sheets that do not say where they are, or are not on Earth. */
  readonly lost: readonly PointHeader[];
  /** The coordinate system of all; absent if they have several. */
  readonly crs: Place['crs'];
}

/**
 * Places sheets by what they say. Those that name no coordinate system, or wrongly a geocentric one, get the one that all
 * their coordinates fit, unless these count from a scanner.
 */
export function placePointSheets(headers: readonly PointHeader[], context: PlaceContext): PlacedPointSheets {
  const systems = new Map<string, Crs | undefined>();
  const guessed = guessOf(headers, context);
  const crsOf = ({ crs, bounds }: PointHeader): Crs | undefined => {
    if (crs === undefined || isGeocentric(crs)) return bounds && !areLocal(bounds) ? guessed : undefined;
    if (!systems.has(crs)) systems.set(crs, findKnown(crs, context));
    return systems.get(crs);
  };
  const placed: PlacedPoints[] = [];
  const lost: PointHeader[] = [];
  const used = new Map<string, NonNullable<Place['crs']>>();
  for (const header of headers) {
    const onEarth = placeGeocentric(header);
    const crs = onEarth ? undefined : crsOf(header);
    const place = onEarth ?? (crs && placeProjected(header, crs));
    if (!place) {
      lost.push(header);
      continue;
    }
    const described = crs ? describeCrs(crs, isOpen(header)) : geocentric;
    const system = described.code ?? described.name;
    used.set(system, described);
    placed.push({ header, system, ...place });
  }
  const [only, ...others] = used.values();
  return { placed, lost, crs: others.length === 0 ? only : undefined };
}

/** It does not say where it is. */
const isOpen = (header: PointHeader): boolean =>
  header.crs === undefined || (isGeocentric(header.crs) && placeGeocentric(header) === undefined);

const geocentric = { code: 'EPSG:4978', name: 'WGS 84, geocentric', isGuessed: false };

function findKnown(text: string, { file, issues }: PlaceContext): Crs | undefined {
  try {
    return findCrs(text);
  } catch (error) {
    if (!(error instanceof UnknownCrs)) throw error;
    issues.add('unknownCrs', `${file}: ${error.message}`);
    return undefined;
  }
}

function guessOf(headers: readonly PointHeader[], context: PlaceContext): Crs | undefined {
  const box = emptyBox();
  for (const header of headers) {
    const { bounds } = header;
    if (isOpen(header) && bounds && !areLocal(bounds))
      growBox(box, Float64Array.of(bounds.min[0], bounds.min[1], bounds.max[0], bounds.max[1]), 2);
  }
  const isWronglyNamed = headers.some((header) => header.crs !== undefined && isOpen(header));
  return guessCrsOfSheets(box, context, isWronglyNamed ? reportWrongGeocentric : reportMissingCrs);
}

function placeProjected({ bounds }: PointHeader, crs: Crs): Pick<PlacedPoints, 'quad' | 'box'> | undefined {
  if (bounds === undefined) return undefined;
  const [[west, south], [east, north]] = [bounds.min, bounds.max];
  const quad = Float64Array.of(west, south, east, south, east, north, west, north);
  crs.toLonLat(quad, 4);
  const box = boxOfQuad(quad);
  return box && { box, quad: [...quad] as unknown as Quad };
}

function placeGeocentric({ crs, bounds }: PointHeader): Pick<PlacedPoints, 'quad' | 'box'> | undefined {
  if (crs === undefined || !isGeocentric(crs)) return undefined;
  const box = bounds && geocentricBox(bounds.min, bounds.max);
  if (box === undefined) return undefined;
  const [west, south, east, north] = box;
  return { box: [west, south, east, north], quad: [west, south, east, south, east, north, west, north] };
}
