import { clipRing } from '../clip/clip-ring.ts';
import { checkPolygon, isSurelySimple } from '../clip/check-polygon.ts';
import { cross, noContact, touch, unknown, type Contact } from '../clip/edge-contact.ts';
import { createRings, pushRing } from '../clip/edges.ts';
import { resolvePolygon } from '../clip/resolve-polygon.ts';
import { coordinatesAt, shapeHead } from '../shape/shape.ts';
import type { Words } from '../shape/words.ts';
import { createDust } from './dust.ts';
import { drawRing, type Pen } from './pen.ts';
import { measureRing, reverseRing, tidyRing } from './ring.ts';
import { createVertices, gather, setDetail, type TileGrid } from './tile-grid.ts';

export interface PolygonEncoder {
  /** In this tile: polygons that were made valid, and those that are drawn as they are, as it would take too long. */
  readonly mended: number;
  readonly unmended: number;
  begin(): void;
  /** Draws the polygon whose outer ring is `first`, with the holes before `end`. */
  encode(store: Words, shape: number, first: number, end: number): void;
}

export interface PolygonOptions {
  /** Below the highest zoom, rings of less than this many square tile units are dust; 0: each is drawn, however small. */
  readonly dustArea: number;
  /** Whether polygons that meet themselves are made valid. */
  readonly mends: boolean;
}

/** Where crossings come from leaving out vertices, those of so many next zooms mostly help: tiles may need them. */
export const finerZooms = 2;
/** In larger polygons it would add vertices all around for a crossing in one place. */
const mostToRefine = 256;

export function createPolygonEncoder(
  grid: TileGrid,
  pen: Pen,
  { dustArea, mends }: PolygonOptions,
): PolygonEncoder {
  const { low, high, extent } = grid;
  const dust = createDust(grid);
  const gathered = createVertices();
  const rings = createRings();
  const square = new Float64Array(8);
  const dustSide = Math.max(1, Math.round(Math.sqrt(dustArea)));
  let mended = 0;
  let unmended = 0;

  const drawSquare = (side: number): void => {
    const x = Math.min(Math.max(0, dust.x - (side >> 1)), extent - side);
    const y = Math.min(Math.max(0, dust.y - (side >> 1)), extent - side);
    square.set([x, y, x + side, y, x + side, y + side, x, y + side]);
    drawRing(pen, square, 0, 4);
  };
  const areaOf = ({ floats }: Words, shape: number, ring: number): number =>
    floats[shape + shapeHead + ring * 2 + 1]! * grid.areaScale;
  const settle = ({ words }: Words, shape: number, ring: number, area: number, due: number): boolean => {
    const vertex = coordinatesAt(words, shape) + startOf(words, shape, ring) * 2;
    return dust.settle(words[vertex]!, words[vertex + 1]!, area, due);
  };
  /** Gathers what of a ring is in the tile, turned the right way; false if that has no area. */
  const gatherRing = (store: Words, shape: number, ring: number, isOuter: boolean): boolean => {
    const start = startOf(store.words, shape, ring);
    const end = store.words[shape + shapeHead + ring * 2]! >> 1;
    gather(gathered, store, { shape, start, end }, grid);
    const { xy } = gathered;
    const last = gathered.count * 2 - 2;
    if (last > 0 && xy[0] === xy[last] && xy[1] === xy[last + 1]) gathered.count--;
    if (!gathered.isInside) {
      const clipped = clipRing(xy, gathered.count, low, high);
      gathered.xy = clipped.ring;
      gathered.count = tidyRing(clipped.ring, clipped.count, low, high);
    }
    const measured = gathered.count < 3 ? 0 : measureRing(gathered.xy, gathered.count);
    if (measured === 0) return false;
    if (measured > 0 !== isOuter) reverseRing(gathered.xy, gathered.count);
    return true;
  };
  /** Gathers the outer ring and the holes that are large enough; false if the outer one has no area. */
  const gatherRings = (store: Words, shape: number, first: number, end: number): boolean => {
    rings.ends.length = 0;
    for (let ring = first; ring < end; ring++) {
      if (ring > first && !grid.isHighest && areaOf(store, shape, ring) < dustArea) continue;
      const hasArea = gatherRing(store, shape, ring, ring === first);
      if (hasArea) pushRing(rings, gathered.xy, gathered.count);
      else if (ring === first) return false;
    }
    return true;
  };
  /** Gathers more vertices for rings that cross, unless that does not help; returns how they meet then. */
  const refine = (store: Words, shape: number, first: number, end: number): Contact => {
    if (grid.isHighest || rings.ends.at(-1)! > mostToRefine) return cross;
    for (let finer = 1; finer <= finerZooms; finer++) {
      setDetail(grid, grid.zoom + finer);
      const hasArea = gatherRings(store, shape, first, end);
      const left = hasArea ? checkPolygon(rings, grid) : cross;
      setDetail(grid, grid.zoom);
      if (left === noContact || left === touch) return left;
    }
    gatherRings(store, shape, first, end);
    return cross;
  };
  const drawRings = (): void => {
    let start = 0;
    for (const ringEnd of rings.ends) {
      drawRing(pen, rings.xy, start, ringEnd);
      start = ringEnd;
    }
  };
  const drawValid = (store: Words, shape: number, first: number, end: number): void => {
    let contact = checkPolygon(rings, grid);
    if (contact === noContact) return drawRings();
    if (contact === cross) contact = refine(store, shape, first, end);
    mended++;
    if (contact === noContact) return drawRings();
    const polygons = contact === unknown ? undefined : resolvePolygon(rings);
    if (polygons === undefined) {
      mended--;
      unmended++;
      return drawRings();
    }
    for (const ring of polygons.flat()) drawRing(pen, ring, 0, ring.length / 2);
  };

  return {
    get mended() {
      return mended;
    },
    get unmended() {
      return unmended;
    },
    begin() {
      mended = 0;
      unmended = 0;
      dust.begin();
    },
    encode(store, shape, first, end) {
      const area = areaOf(store, shape, first);
      if (!grid.isHighest && area < dustArea) {
        if (settle(store, shape, first, area, dustArea)) drawSquare(dustSide);
        return;
      }
      const before = pen.length;
      const hasArea = gatherRings(store, shape, first, end);
      // Whether all of the outer ring is here, where it has no area.
      const isCollapsed = !hasArea && gathered.isInside;
      if (!hasArea) {
        // Nothing of it can be drawn as it is.
      } else if (!mends || (rings.ends.length === 1 && isSurelySimple(rings.xy, rings.ends[0]!))) drawRings();
      else drawValid(store, shape, first, end);
      if (pen.length > before || !(isCollapsed || area < 2)) return;
      const keepsAll = grid.isHighest || dustArea === 0;
      if (settle(store, shape, first, area, keepsAll ? 0 : dustArea)) drawSquare(keepsAll ? 1 : dustSide);
    },
  };
}

function startOf(words: Int32Array, shape: number, ring: number): number {
  return ring === 0 ? 0 : words[shape + shapeHead + ring * 2 - 2]! >> 1;
}
