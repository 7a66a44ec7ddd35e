import { coordinatesAt, pointType, type ShapeType } from '@platen/geo/shape/shape';
import { worldBits } from '@platen/geo/tile/world-grid';

/** The level of detail of some data, as sums that can be added over parts. */
export interface Detail {
  points: number;
  edges: number;
  /** Sum of the binary logarithms of the edge lengths. */
  logs: number;
}

/** Measures the level of detail, to guess the maximum zoom. */
export interface Density {
  /** A bit for each cell of the world, set if the cell contains a point. */
  readonly cells: Uint8Array;
  count(words: Int32Array, shape: number, type: ShapeType): void;
  /** Returns the sums since the last call. */
  take(): Detail;
}

const maxGuess = 14;
const cellZoom = 12;
/** Tile units that a typical edge, or the gap between points, spans at the guessed zoom. */
const unitsPerDetail = 64;
/** Even a few distant points should be within 10 m of their position. */
const minPointZoom = 10;
const maxSamples = 64;

export function createDensity(): Density {
  const cells = new Uint8Array(4 ** cellZoom / 8);
  let detail: Detail = { points: 0, edges: 0, logs: 0 };
  const countPoint = (x: number, y: number): void => {
    const shift = worldBits - cellZoom;
    const mask = 2 ** cellZoom - 1;
    const cell = ((y >> shift) & mask) * 2 ** cellZoom + ((x >> shift) & mask);
    cells[cell >> 3]! |= 1 << (cell & 7);
    detail.points++;
  };
  return {
    cells,
    count(words, shape, type) {
      const from = coordinatesAt(words, shape);
      const vertices = words[shape + 6]!;
      const step = Math.max(1, Math.floor(vertices / maxSamples));
      let length = 0;
      let count = 0;
      for (let i = 0; i < vertices; i += step) {
        const x = words[from + i * 2]!;
        const y = words[from + i * 2 + 1]!;
        if (type === pointType) countPoint(x, y);
        else if (i + 1 < vertices) {
          length += Math.hypot(words[from + i * 2 + 2]! - x, words[from + i * 2 + 3]! - y);
          count++;
        }
      }
      if (length === 0) return;
      detail.edges += count;
      detail.logs += count * Math.log2(length / count);
    },
    take() {
      const taken = detail;
      detail = { points: 0, edges: 0, logs: 0 };
      return taken;
    },
  };
}

/** The zoom at which a typical detail spans enough tile units to be recognisable; at most 14. */
export function guessZoom({ points, edges, logs }: Detail, cells: Uint8Array, extent: number): number {
  const occupied = countBits(cells);
  const finest = worldBits - Math.log2(extent) + Math.log2(unitsPerDetail);
  const forEdges = edges === 0 ? 0 : finest - logs / edges;
  const gap = worldBits - cellZoom - Math.log2(points / Math.max(1, occupied)) / 2;
  const forPoints = points === 0 ? 0 : Math.max(minPointZoom, finest - gap);
  return Math.min(maxGuess, Math.max(0, Math.ceil(Math.max(forEdges, forPoints))));
}

const emptyBytes = Buffer.alloc(4096);

/** Skips empty chunks by comparing their bytes, as most of the world is empty. */
function countBits(cells: Uint8Array): number {
  let count = 0;
  for (let from = 0; from < cells.length; from += emptyBytes.length) {
    const chunk = cells.subarray(from, from + emptyBytes.length);
    if (emptyBytes.equals(chunk)) continue;
    for (let i = 0; i < chunk.length; i++) for (let bits = chunk[i]!; bits !== 0; bits &= bits - 1) count++;
  }
  return count;
}
