import { eachRunInRings, type DegreeCells } from '@platen/geo/terrain/cells-in-rings';
import {
  latitudeOfVertex,
  longitudeOfVertex,
  tileDegrees,
  type TilePlace,
} from '@platen/geo/terrain/tile-grid';
import type { WaterPolygons } from './water-polygons.ts';

/** Pixels on a side of a mask. */
const side = 256;
const water = 255;
/** Smaller polygons, in pixels, hold the middle of hardly any. */
const minPixels = 1 / 4;

/**
 * The water mask of a tile (quantized-mesh 1.0, "Water Mask"): 256 × 256 bytes from the north, 0 land, 255 water; one byte where all
 * are the same.
 */
export function waterMaskOf(place: TilePlace, polygons: WaterPolygons): Uint8Array {
  const degrees = tileDegrees(place.z);
  const [west, north] = [longitudeOfVertex(place, 0), latitudeOfVertex(place, 0)];
  const cells: DegreeCells = { west, north, step: degrees / side, side };
  const mask = new Uint8Array(side * side);
  const box = [west, north - degrees, west + degrees, north] as const;
  for (const polygon of polygons.within(box, minPixels * cells.step))
    eachRunInRings(polygons.ringsOf(polygon), cells, (row, from, to) =>
      mask.fill(water, row * side + from, row * side + to),
    );
  const first = mask[0]!;
  return mask.every((value) => value === first) ? Uint8Array.of(first) : mask;
}
