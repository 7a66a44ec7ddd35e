import { worldSize } from '../tile/world-grid.ts';

/** Labels as boxes that begin at a point and end to the right of it. */
export interface LabelBoxes {
  readonly count: number;
  /** Where they begin, in units of the world grid: 0 to `worldSize`. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** In pixels, with the distance to keep from others. */
  readonly width: Uint16Array;
  readonly height: Uint16Array;
  /** The lowest zoom that may show it. */
  readonly firstZoom: Uint8Array;
}

export interface LabelZoomOptions {
  /** Indices of the labels, the most important first. */
  readonly order: Int32Array;
  readonly minZoom: number;
  readonly maxZoom: number;
}

/** The zoom of labels that fit at none; above every zoom. */
export const noLabelZoom = 31;

/** Width of a tile on the screen, in pixels: maps draw a tile at the equator this wide or wider. */
export const labelTilePixels = 256;

/**
 * The smallest zoom of each label from which on it touches no other label: at every zoom from there to the highest, none of
 * more importance that this zoom shows. A label that is shown at a zoom is shown at all higher ones. Labels meet across the
 * antimeridian. Zoom by zoom from the highest down, the labels left are placed in order of importance into a grid; time and
 * memory are proportional to their number.
 * @returns by label its zoom, `noLabelZoom` for none
 */
export function labelZooms(boxes: LabelBoxes, options: LabelZoomOptions): Uint8Array {
  const { order, minZoom, maxZoom } = options;
  const zooms = new Uint8Array(boxes.count).fill(noLabelZoom);
  const grid = createBoxGrid(boxes);
  let left = order;
  for (let zoom = maxZoom; zoom >= minZoom && left.length > 0; zoom--) {
    grid.clear(zoom);
    const shown = new Int32Array(left.length);
    let count = 0;
    for (const label of left) {
      if (boxes.firstZoom[label]! > zoom || !grid.place(label)) continue;
      zooms[label] = zoom;
      shown[count++] = label;
    }
    left = shown.subarray(0, count);
  }
  return zooms;
}

interface BoxGrid {
  /** Begins with no labels at another zoom. */
  clear(zoom: number): void;
  /** Places a label unless it touches one that is there. */
  place(label: number): boolean;
}

/** Cells are at least as wide and high as a label, so labels that touch are in the same cell or in neighbours. */
function createBoxGrid({ count, x, y, width, height }: LabelBoxes): BoxGrid {
  let widest = 1;
  let highest = 1;
  for (let label = 0; label < count; label++) {
    widest = Math.max(widest, width[label]!);
    highest = Math.max(highest, height[label]!);
  }
  const mask = 2 ** Math.ceil(Math.log2(count + 1) + 1) - 1;
  /** The last label of the cells with this hash, and the one before each. */
  const heads = new Int32Array(mask + 1);
  const before = new Int32Array(count);
  let worldPixels = 0;
  let scale = 0;
  let columns = 0;

  const slotOf = (column: number, row: number): number =>
    (Math.imul(row, 0x9e3779b1) ^ Math.imul(column, 0x85ebca6b)) & mask;
  const touches = (one: number, other: number): boolean => {
    if (Math.abs(y[one]! - y[other]!) * scale >= Math.max(height[one]!, height[other]!)) return false;
    const toRight = (x[other]! - x[one]!) * scale;
    const around = toRight < 0 ? toRight + worldPixels : toRight;
    return around < width[one]! || worldPixels - around < width[other]!;
  };
  const isFree = (label: number, column: number, row: number): boolean => {
    for (let other = heads[slotOf(column, row)]!; other >= 0; other = before[other]!)
      if (touches(label, other)) return false;
    return true;
  };
  return {
    clear(zoom) {
      heads.fill(-1);
      worldPixels = labelTilePixels * 2 ** zoom;
      scale = worldPixels / worldSize;
      columns = Math.max(1, Math.floor(worldPixels / widest));
    },
    place(label) {
      const column = Math.min(columns - 1, Math.floor((x[label]! / worldSize) * columns));
      const row = Math.floor((y[label]! * scale) / highest);
      for (let r = row - 1; r <= row + 1; r++)
        for (let c = column - 1; c <= column + 1; c++)
          if (!isFree(label, (c + columns) % columns, r)) return false;
      const slot = slotOf(column, row);
      before[label] = heads[slot]!;
      heads[slot] = label;
      return true;
    },
  };
}
