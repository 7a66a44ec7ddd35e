import { writeVertexZooms } from '../simplify/vertex-zooms.ts';
import { traceContours, type ContourLine } from './contour-lines.ts';

export interface ContourPiecesOptions {
  /** Cells on a side of a tile, and further ones around it that lines reach into. */
  readonly side: number;
  readonly margin: number;
  /** Metres from line to line, of which `step` are left out but one. */
  readonly interval: number;
  /** Units on a side of a tile. */
  readonly extent: number;
  /** Units that lines may be simplified by. */
  readonly tolerance: number;
  readonly maxPieces: number;
}

/**
 * Takes a piece of a line in whole units of the tile, valid until the next. Pieces of a level follow each other.
 * @param level the height is this many times the interval
 */
export type OnContourPiece = (level: number, xy: Float64Array, count: number) => void;

/** Parts of a unit that lines are simplified in. */
const subunits = 16;

/**
 * Traces the contour lines of a tile. Lines are cut where they cross its edge and simplified in pieces, so that both tiles there
 * have the same position; pieces beyond the edge come as well.
 * @returns whether there were at most `maxPieces` pieces between cells; otherwise there is none
 */
export function createContourPieces({
  side,
  margin,
  interval,
  extent,
  tolerance,
  maxPieces,
}: ContourPiecesOptions): (cells: Float32Array, step: number, onPiece: OnContourPiece) => boolean {
  const simplify = createSimplifier(tolerance);
  const unitsPerCell = extent / side;
  let open = 0;
  let put: OnContourPiece = () => {};
  const cut = createEdgeCutter(extent, (xy, count) => {
    const kept = simplify(xy, count);
    if (kept.count > 1) put(open, kept.xy, kept.count);
  });
  return (cells, step, onPiece) => {
    put = onPiece;
    const onLine = ({ level, positions, count }: ContourLine): void => {
      open = level * step;
      for (let i = 0; i < count * 2; i++) positions[i] = (positions[i]! - margin + 0.5) * unitsPerCell;
      cut(positions, count);
    };
    const grid = { cells, side: side + 2 * margin, interval: interval * step, maxPieces };
    return traceContours(grid, onLine);
  };
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
