import { clipRing } from '../clip/clip-ring.ts';
import { checkPolygon, isSurelySimple } from '../clip/check-polygon.ts';
import { cross, noContact, touch, unknown, type Contact } from '../clip/edge-contact.ts';
import { createRings, pushRing } from '../clip/edges.ts';
import { resolvePolygon } from '../clip/resolve-polygon.ts';
import { coordinatesAt, shapeHeaderWords } from '../shape/shape.ts';
import type { Int32Buffer } from '../shape/int32-buffer.ts';
import { createDust } from './dust.ts';
import { writeRing, type CommandWriter } from './command-writer.ts';
import { measureRing, reverseRing, startAtSmallest, tidyRing } from './ring.ts';
import { createVertices, gather, setDetail, type TileGrid } from './tile-grid.ts';

export interface PolygonEncoder {
  /** Polygons of this tile that were made valid, and those left invalid because repair would take too long. */
  readonly repaired: number;
  readonly unrepaired: number;
  begin(): void;
  /** Encodes the polygon whose outer ring is `first`, with holes up to `end` (exclusive). */
  encode(store: Int32Buffer, shape: number, first: number, end: number): void;
}

export interface PolygonOptions {
  /** Below the highest zoom, rings of less than this many square tile units are dust; with 0, all are drawn. */
  readonly dustArea: number;
  /** Makes polygons valid whose rings cross or touch. */
  readonly repair: boolean;
}

/**
 * Crossings caused by simplification mostly disappear with the vertices of the next zooms: tiles may need those of
 * this many.
 */
export const finerZooms = 2;
/** Refining larger polygons would add vertices all around because of a crossing in one place. */
const maxRefinedVertices = 256;

export function createPolygonEncoder(
  grid: TileGrid,
  commands: CommandWriter,
  { dustArea, repair }: PolygonOptions,
): PolygonEncoder {
  const { low, high, extent } = grid;
  const dust = createDust(grid);
  const gathered = createVertices();
  const rings = createRings();
  const square = new Float64Array(8);
  const dustSide = Math.max(1, Math.round(Math.sqrt(dustArea)));
  let repaired = 0;
  let unrepaired = 0;

  const drawSquare = (side: number): void => {
    const x = Math.min(Math.max(0, dust.x - (side >> 1)), extent - side);
    const y = Math.min(Math.max(0, dust.y - (side >> 1)), extent - side);
    square.set([x, y, x + side, y, x + side, y + side, x, y + side]);
    writeRing(commands, square, 0, 4);
  };
  const areaOf = ({ floats }: Int32Buffer, shape: number, ring: number): number =>
    floats[shape + shapeHeaderWords + ring * 2 + 1]! * grid.areaScale;
  const settle = (
    { words }: Int32Buffer,
    shape: number,
    ring: number,
    area: number,
    due: number,
  ): boolean => {
    const vertex = coordinatesAt(words, shape) + startOf(words, shape, ring) * 2;
    return dust.settle(words[vertex]!, words[vertex + 1]!, area, due);
  };
  /** Gathers the part of a ring inside the tile, in the right direction; false if it has no area. */
  const gatherRing = (store: Int32Buffer, shape: number, ring: number, isOuter: boolean): boolean => {
    const start = startOf(store.words, shape, ring);
    const end = store.words[shape + shapeHeaderWords + ring * 2]! >> 1;
    gather(gathered, store, { shape, start, end }, grid);
    const { xy } = gathered;
    const last = gathered.count * 2 - 2;
    if (last > 0 && xy[0] === xy[last] && xy[1] === xy[last + 1]) gathered.count--;
    if (!gathered.isInside) {
      const clipped = clipRing(xy, gathered.count, low, high);
      gathered.xy = clipped.ring;
      gathered.count = tidyRing(clipped.ring, clipped.count, low, high);
      startAtSmallest(clipped.ring, gathered.count);
    }
    const measured = gathered.count < 3 ? 0 : measureRing(gathered.xy, gathered.count);
    if (measured === 0) return false;
    if (measured > 0 !== isOuter) reverseRing(gathered.xy, gathered.count);
    return true;
  };
  /** Gathers the outer ring and all holes that are large enough; false if the outer ring has no area. */
  const gatherRings = (store: Int32Buffer, shape: number, first: number, end: number): boolean => {
    rings.ends.length = 0;
    for (let ring = first; ring < end; ring++) {
      if (ring > first && !grid.isHighest && areaOf(store, shape, ring) < dustArea) continue;
      const hasArea = gatherRing(store, shape, ring, ring === first);
      if (hasArea) pushRing(rings, gathered.xy, gathered.count);
      else if (ring === first) return false;
    }
    return true;
  };
  /** Gathers more vertices for rings that cross, unless that does not help. @returns how they meet then */
  const refine = (store: Int32Buffer, shape: number, first: number, end: number): Contact => {
    if (grid.isHighest || rings.ends.at(-1)! > maxRefinedVertices) return cross;
    for (let finer = 1; finer <= finerZooms; finer++) {
      setDetail(grid, grid.zoom + finer);
      const hasArea = gatherRings(store, shape, first, end);
      const remaining = hasArea ? checkPolygon(rings, grid) : cross;
      setDetail(grid, grid.zoom);
      if (remaining === noContact || remaining === touch) return remaining;
    }
    gatherRings(store, shape, first, end);
    return cross;
  };
  const drawRings = (): void => {
    let start = 0;
    for (const ringEnd of rings.ends) {
      writeRing(commands, rings.xy, start, ringEnd);
      start = ringEnd;
    }
  };
  const drawValid = (store: Int32Buffer, shape: number, first: number, end: number): void => {
    let contact = checkPolygon(rings, grid);
    if (contact === noContact) return drawRings();
    if (contact === cross) contact = refine(store, shape, first, end);
    repaired++;
    if (contact === noContact) return drawRings();
    const polygons = contact === unknown ? undefined : resolvePolygon(rings);
    if (polygons === undefined) {
      repaired--;
      unrepaired++;
      return drawRings();
    }
    for (const ring of polygons.flat()) writeRing(commands, ring, 0, ring.length / 2);
  };

  return {
    get repaired() {
      return repaired;
    },
    get unrepaired() {
      return unrepaired;
    },
    begin() {
      repaired = 0;
      unrepaired = 0;
      dust.begin();
    },
    encode(store, shape, first, end) {
      const area = areaOf(store, shape, first);
      if (!grid.isHighest && area < dustArea) {
        if (settle(store, shape, first, area, dustArea)) drawSquare(dustSide);
        return;
      }
      const before = commands.length;
      const hasArea = gatherRings(store, shape, first, end);
      // The outer ring is inside the tile as a whole but has no area.
      const isCollapsed = !hasArea && gathered.isInside;
      if (!hasArea) {
        // It cannot be drawn as it is.
      } else if (!repair || (rings.ends.length === 1 && isSurelySimple(rings.xy, rings.ends[0]!)))
        drawRings();
      else drawValid(store, shape, first, end);
      if (commands.length > before || !(isCollapsed || area < 2)) return;
      const keepsAll = grid.isHighest || dustArea === 0;
      if (settle(store, shape, first, area, keepsAll ? 0 : dustArea)) drawSquare(keepsAll ? 1 : dustSide);
    },
  };
}

function startOf(words: Int32Array, shape: number, ring: number): number {
  return ring === 0 ? 0 : words[shape + shapeHeaderWords + ring * 2 - 2]! >> 1;
}
