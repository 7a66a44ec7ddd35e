import { coordinatesAt } from '@platen/geo/shape/shape';
import { worldBits, worldSize } from '@platen/geo/tile/world-grid';

/** The zoom of the cells that are weighed; no leaf is smaller. */
export const finestCellZoom = 10;

const cellShift = worldBits - finestCellZoom;
const lastCell = 2 ** finestCellZoom - 1;
const maxSamples = 32;

/** Words of records per cell, by the cell's Morton index. */
export interface Weights {
  readonly cells: Float64Array;
  add(words: Int32Array, shape: number, recordWords: number): void;
}

export function createWeights(): Weights {
  const cells = new Float64Array(4 ** finestCellZoom);
  return {
    cells,
    add(words, shape, recordWords) {
      const vertices = words[shape + 6]!;
      const from = coordinatesAt(words, shape);
      const samples = Math.min(maxSamples, Math.ceil(vertices / 64));
      const step = Math.floor(vertices / samples);
      for (let i = 0; i < samples; i++) {
        const cell = cellAt(words[from + i * step * 2]!, words[from + i * step * 2 + 1]!);
        cells[cell]! += recordWords / samples;
      }
    },
  };
}

function cellAt(x: number, y: number): number {
  const wrapped = x < 0 ? x + worldSize : x >= worldSize ? x - worldSize : x;
  const cx = Math.min(lastCell, Math.max(0, wrapped >> cellShift));
  const cy = Math.min(lastCell, Math.max(0, y >> cellShift));
  return spread(cx) | (spread(cy) << 1);
}

/** Inserts a 0 before each of the lowest 16 bits. */
export function spread(value: number): number {
  let bits = value;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}
