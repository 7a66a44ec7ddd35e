import type { RasterFacts } from '@platen/contract/inspect';
import type { Crs } from '@platen/formats/crs/find-crs';
import { boxOf, type GeoTransform } from '@platen/formats/geotiff/geo-transform';
import type { Quad } from '@platen/geo/raster/sheet-coverage';
import { emptyBox, growBox, type Box } from '../box.ts';
import { describeCrs, type Place, type PlaceContext } from '../place/resolve-place.ts';
import { boxOfQuad, guessCrsOfSheets } from '../sheets/locate-sheets.ts';
import { rasterFactsOf } from '../raster/raster-facts.ts';
import { cornersOf, type SheetHeader } from '../../raster-source/sheet-header.ts';

/** A sheet with its corners on Earth. */
export interface PlacedSheet {
  readonly header: SheetHeader;
  readonly crs: Crs;
  /** Longitude and latitude of the four corners. */
  readonly quad: Quad;
  readonly box: Box;
  readonly facts: RasterFacts;
}

export interface PlacedSheets {
  readonly placed: readonly PlacedSheet[];
  /** Sheets that do not say where they are, or are not on Earth. */
  readonly lost: readonly SheetHeader[];
  /** The coordinate system of all; absent if they have several. */
  readonly crs: Place['crs'];
}

/** Places sheets by what they say. Those that name no coordinate system get the one that all their coordinates fit. */
export function placeSheets(headers: readonly SheetHeader[], context: PlaceContext): PlacedSheets {
  const guessed = guessOf(headers, context);
  const placed: PlacedSheet[] = [];
  const lost: SheetHeader[] = [];
  for (const header of headers) {
    const crs = header.crs ?? guessed;
    const sheet = header.transform && crs && place(header, header.transform, crs);
    if (sheet) placed.push(sheet);
    else lost.push(header);
  }
  const systems = new Map(placed.map(({ crs }) => [crs.code ?? crs.name, crs]));
  const [only, ...others] = systems.values();
  const isGuessed = guessed !== undefined;
  return { placed, lost, crs: only && others.length === 0 ? describeCrs(only, isGuessed) : undefined };
}

function guessOf(headers: readonly SheetHeader[], context: PlaceContext): Crs | undefined {
  const box = emptyBox();
  for (const { transform, crs, width, height } of headers)
    if (transform && !crs) growBox(box, Float64Array.from(boxOf(transform, width, height)), 2);
  return guessCrsOfSheets(box, context);
}

function place(header: SheetHeader, transform: GeoTransform, crs: Crs): PlacedSheet | undefined {
  const { width, height, name } = header;
  const quad = cornersOf({ width, height, transform, crs });
  const box = boxOfQuad(quad);
  if (!box) return undefined;
  const facts = rasterFactsOf({ name, width, height, transform, crs, bbox: box });
  return facts && { header, crs, quad: [...quad] as unknown as Quad, box, facts };
}
