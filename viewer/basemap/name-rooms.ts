import type { WorldName } from './world-names.ts';

/** Pixels along the side of a tile. The globe shows tiles larger than that, and smaller towards the poles. */
const tilePixels = 256;
const characterPixels: Readonly<Record<WorldName['kind'], number>> = { country: 8, capital: 7, town: 6.2 };
/** From a point up to the top of its name, and down to the bottom of its dot. */
const [abovePixels, belowPixels] = [24, 6];
/** Left free next to each name. */
const gapPixels = 6;
/** Side of a cell of the grid in which names are looked up. */
const cellPixels = 128;

/**
 * How much smaller than at the equator the globe shows a tile where the name is; a little less, as tiles are mostly shown larger
 * than at their smallest.
 */
export const mercatorScaleAt = ({ at: [, y] }: WorldName): number =>
  Math.min(3, Math.cosh(Math.PI * (1 - 2 * y))) ** 0.4;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Width in pixels of a name in the language in which it is longer. */
export const widthOf = ({ names, kind }: WorldName): number =>
  Math.max(names.en.length, names.de.length) * characterPixels[kind];

/**
 * Decides from which zoom level on there is room for each name. A name stays from then on to its last level, as the distances
 * of names double from level to level and their sizes do not; at a level, earlier names precede later ones.
 * @returns a zoom level for each name, above `maxZoom` if there is no room
 */
export function firstZooms(names: readonly WorldName[], maxZoom: number): number[] {
  const found = names.map(() => Infinity);
  for (let z = 0; z <= maxZoom; z++) {
    const taken = new Map<string, Box[]>();
    for (const [index, name] of names.entries())
      if (found[index]! < z && z <= name.maxZoom) place(boxOf(name, z), taken);
    for (const [index, name] of names.entries()) {
      if (found[index]! < z || name.minZoom > z || z > name.maxZoom) continue;
      const box = boxOf(name, z);
      if (!hasRoom(box, taken)) continue;
      found[index] = z;
      place(box, taken);
    }
  }
  return found;
}

/** Towns have their name to the right of their point, countries around it. */
function boxOf(name: WorldName, z: number): Box {
  const side = tilePixels * 2 ** z;
  const scale = mercatorScaleAt(name);
  const width = (widthOf(name) + gapPixels) * scale;
  const left = name.at[0] * side - (name.kind === 'country' ? width / 2 : (gapPixels / 2) * scale);
  const middle = name.at[1] * side;
  const [top, bottom] = [middle - abovePixels * scale, middle + belowPixels * scale];
  return { left, right: left + width, top, bottom };
}

function cellsOf({ left, right, top, bottom }: Box): string[] {
  const cells: string[] = [];
  for (let x = Math.floor(left / cellPixels); x <= right / cellPixels; x++)
    for (let y = Math.floor(top / cellPixels); y <= bottom / cellPixels; y++) cells.push(`${x} ${y}`);
  return cells;
}

function place(box: Box, taken: Map<string, Box[]>): void {
  for (const cell of cellsOf(box)) taken.set(cell, [...(taken.get(cell) ?? []), box]);
}

const hasRoom = (box: Box, taken: ReadonlyMap<string, readonly Box[]>) =>
  cellsOf(box).every((cell) =>
    (taken.get(cell) ?? []).every(
      ({ left, right, top, bottom }) =>
        left > box.right || right < box.left || top > box.bottom || bottom < box.top,
    ),
  );
