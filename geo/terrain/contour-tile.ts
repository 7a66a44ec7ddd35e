import { beginGeometry, createCommandWriter, writeLine } from '../mvt/command-writer.ts';
import { appendRecordHead } from '../mvt/record-head.ts';
import { createTileEncoder } from '../mvt/tile-encoder.ts';
import { createInt32Buffer } from '../shape/int32-buffer.ts';
import { lineType } from '../shape/shape.ts';
import { writeVertexZooms } from '../simplify/vertex-zooms.ts';
import { traceContours, type ContourLine } from './contour-lines.ts';
import type { BlockPlace } from './height-grid.ts';

export const contourExtent = 4096;
export const contourLayer = 'contours';
/** Every fifth line is an index contour, which maps draw thicker and label. */
export const indexEvery = 5;

export interface ContourTileOptions {
  /** Cells on a side of a tile, and further ones around it that lines reach into. */
  readonly side: number;
  readonly margin: number;
  /** Metres from line to line, of which `step` are left out but one. */
  readonly interval: number;
  /** Units of the tile that lines may be simplified by. */
  readonly tolerance: number;
  readonly maxPieces: number;
}

export interface ContourTile {
  /** Mapbox Vector Tile 2.1, valid until the next tile. */
  readonly bytes: Uint8Array;
  readonly features: readonly ContourFeature[];
}

/** The attributes of all lines of a height. */
export interface ContourFeature {
  /** Metres. */
  readonly elevation: number;
  readonly isIndex: boolean;
}

/** Parts of a unit that lines are simplified in. */
const subunits = 16;
const neverTooLarge = 2 ** 30;

/**
 * Makes vector tiles of contour lines: a feature for each height, with `elevation` in metres and `isIndex`. Lines are cut where
 * they cross the edge of a tile and simplified in pieces, so that both tiles there have the same position.
 * @returns undefined for a tile without lines, 'tooMany' if it would have more than `maxPieces` pieces
 */
export function createContourTiler(
  options: ContourTileOptions,
): (cells: Float32Array, place: BlockPlace, step: number) => ContourTile | 'tooMany' | undefined {
  const { side, margin, interval, tolerance, maxPieces } = options;
  const encoder = createTileEncoder({
    extent: contourExtent,
    buffer: 0,
    maxZoom: 0,
    dustLength: 0,
    dustArea: 0,
    repair: false,
    layers: [contourLayer],
    keys: ['elevation', 'isIndex'],
    maxTileBytes: neverTooLarge,
  });
  const commands = createCommandWriter();
  const simplify = createSimplifier(tolerance);
  const unitsPerCell = contourExtent / side;
  const pieces = createEdgeCutter(contourExtent, (xy, count) => {
    const kept = simplify(xy, count);
    if (kept.count > 1) writeLine(commands, kept.xy, kept.count);
  });
  return (cells, { z, x, y }, step) => {
    const store = createInt32Buffer(1 << 10);
    const features: ContourFeature[] = [];
    let open: number | undefined;
    const endLevel = (): void => {
      if (open === undefined || commands.length === 0) return;
      const level = open * step;
      const feature = { elevation: roundTo(level * interval), isIndex: level % indexEvery === 0 };
      store.length = 0;
      const attributes = [[0, feature.elevation] as const, [1, feature.isIndex] as const];
      encoder.write(store, appendRecordHead(store, { type: lineType, layer: 0, attributes }), commands);
      features.push(feature);
    };
    const onLine = ({ level, positions, count }: ContourLine): void => {
      if (level !== open) {
        endLevel();
        beginGeometry(commands);
        open = level;
      }
      for (let i = 0; i < count * 2; i++) positions[i] = (positions[i]! - margin + 0.5) * unitsPerCell;
      pieces(positions, count);
    };
    encoder.begin(z, x, y);
    const grid = { cells, side: side + 2 * margin, interval: interval * step, maxPieces };
    if (!traceContours(grid, onLine)) return 'tooMany';
    endLevel();
    const bytes = encoder.finish();
    return bytes && { bytes, features };
  };
}

/** Without the digits that multiplying by an interval such as 0.1 leaves. */
function roundTo(metres: number): number {
  return Math.round(metres * 1e6) / 1e6;
}

type OnPiece = (xy: Float64Array, count: number) => void;

/** Divides lines where they cross the edges of a tile, at positions that the tile beyond computes as well. */
function createEdgeCutter(extent: number, onPiece: OnPiece): OnPiece {
  let piece = new Float64Array(1 << 12);
  let length = 0;
  const put = (x: number, y: number): void => {
    if (length * 2 + 2 > piece.length) {
      const larger = new Float64Array(piece.length * 2);
      larger.set(piece);
      piece = larger;
    }
    piece[length * 2] = x;
    piece[length * 2 + 1] = y;
    length++;
  };
  return (xy, count) => {
    length = 0;
    put(xy[0]!, xy[1]!);
    for (let i = 2; i < count * 2; i += 2) {
      const [x0, y0, x1, y1] = [xy[i - 2]!, xy[i - 1]!, xy[i]!, xy[i + 1]!];
      for (const [share, x, y] of crossings([x0, y0, x1, y1], extent)) {
        if (share <= 0 || share >= 1) continue;
        put(x, y);
        onPiece(piece, length);
        length = 0;
        put(x, y);
      }
      put(x1, y1);
    }
    if (length > 1) onPiece(piece, length);
  };
}

/** Where a line from one position to another crosses the edges, in this order. */
function crossings(
  [x0, y0, x1, y1]: readonly [number, number, number, number],
  extent: number,
): (readonly [share: number, x: number, y: number])[] {
  const found: (readonly [number, number, number])[] = [];
  for (const edge of [0, extent]) {
    if (x0 < edge !== x1 < edge) {
      const share = (edge - x0) / (x1 - x0);
      found.push([share, edge, y0 + (y1 - y0) * share]);
    }
    if (y0 < edge !== y1 < edge) {
      const share = (edge - y0) / (y1 - y0);
      found.push([share, x0 + (x1 - x0) * share, edge]);
    }
  }
  return found.length < 2 ? found : found.toSorted((a, b) => a[0] - b[0]);
}

/** Leaves out positions within `tolerance` units of what remains, and rounds to whole units. */
function createSimplifier(
  tolerance: number,
): (xy: Float64Array, count: number) => { readonly xy: Float64Array; readonly count: number } {
  const limits = Float64Array.of((tolerance * subunits) ** 2);
  let words = new Int32Array(1 << 12);
  let bytes = new Uint8Array(1 << 11);
  let kept = new Float64Array(1 << 12);
  return (xy, count) => {
    if (count * 2 > words.length) {
      words = new Int32Array(count * 4);
      bytes = new Uint8Array(count * 2);
      kept = new Float64Array(count * 4);
    }
    for (let i = 0; i < count * 2; i++) words[i] = Math.round(xy[i]! * subunits);
    writeVertexZooms({ words, start: 0, count }, { bytes, zoomsStart: 0 }, limits);
    let length = 0;
    for (let i = 0; i < count; i++) {
      if (bytes[i] !== 0) continue;
      const [x, y] = [Math.round(xy[i * 2]!), Math.round(xy[i * 2 + 1]!)];
      const last = (length - 1) * 2;
      if (length > 0 && kept[last] === x && kept[last + 1] === y) continue;
      kept[length * 2] = x;
      kept[length * 2 + 1] = y;
      length++;
    }
    return { xy: kept, count: length };
  };
}
