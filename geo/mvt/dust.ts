import type { TileGrid } from './tile-grid.ts';

/**
 * What is too small to see is left out, but its size is summed up in each tile, and whenever the sum is enough for
 * something visible, that much is drawn where the last of it lay; so dense small things keep their weight on the map.
 * At the highest zoom, what would vanish is drawn one unit large instead.
 */
export interface Dust {
  /** Where the last of it lay, in tile units. */
  readonly x: number;
  readonly y: number;
  begin(): void;
  /**
   * Adds something of the given size at a place in world units.
   * @returns whether something of the size `due` is to be drawn now; never if it lies outside the tile itself
   */
  settle(worldX: number, worldY: number, size: number, due: number): boolean;
}

export function createDust(grid: TileGrid): Dust {
  let sum = 0;
  let x = 0;
  let y = 0;
  return {
    get x() {
      return x;
    },
    get y() {
      return y;
    },
    begin() {
      sum = 0;
    },
    settle(worldX, worldY, size, due) {
      const { shift, extent, originX, originY, isHighest } = grid;
      const toX = (worldX >> shift) - originX;
      const toY = (worldY >> shift) - originY;
      if (toX < 0 || toX >= extent || toY < 0 || toY >= extent) return false;
      x = toX;
      y = toY;
      if (isHighest) return true;
      sum += size;
      if (sum < due) return false;
      sum -= due;
      return true;
    },
  };
}
