import type { TileGrid } from './tile-grid.ts';

/**
 * Features too small to see are left out, but each tile sums up their size; whenever the sum suffices for something
 * visible, that much is drawn at the place of the last one. So dense small features keep their weight on the map. At
 * the highest zoom, what would vanish is drawn one unit large instead.
 */
export interface Dust {
  /** Position of the last one, in tile units. */
  readonly x: number;
  readonly y: number;
  begin(): void;
  /**
   * Adds a feature of this size at a position in world units.
   * @returns whether something of size `due` is to be drawn now; never outside the tile proper
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
