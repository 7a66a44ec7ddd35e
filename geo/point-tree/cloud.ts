/**
 * Points of a part of a tree as columns of words: x, y, z in units of the tree, from its corner, and then words of attributes that the
 * tree does not know.
 */
export interface Cloud {
  readonly columns: readonly Uint32Array[];
  readonly count: number;
}

/** The tree's cube, and how it is divided. */
export interface TreeShape {
  /** The side of the root in units: a power of two with this exponent. */
  readonly sideBits: number;
  /** A node with at most so many points in and below it has no children. */
  readonly leafPoints: number;
  /** A leaf that is left with fewer gives them to its parent. */
  readonly minTilePoints: number;
  /** In units: nodes whose points would be farther apart have none of their own. */
  readonly maxSpacing: number;
  /** The children of a node with more points can be used again without what is below them. */
  readonly unitPoints: number;
}

/** A cube of the tree: the root has level 0, its children level 1. */
export interface Cell {
  readonly level: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Voxels along an edge of a node: 2^7. */
export const voxelBits = 7;
export const coordinateColumns = 3;

export const cellKey = ({ level, x, y, z }: Cell): string => `${level}/${x}/${y}/${z}`;

/** From the root downwards. */
export function compareCells(a: Cell, b: Cell): number {
  return a.level - b.level || a.x - b.x || a.y - b.y || a.z - b.z;
}

/** The child by its octant: bit 0 for x, 1 for y, 2 for z. */
export function childCell({ level, x, y, z }: Cell, octant: number): Cell {
  return {
    level: level + 1,
    x: 2 * x + (octant & 1),
    y: 2 * y + ((octant >> 1) & 1),
    z: 2 * z + (octant >> 2),
  };
}

export function parentCell({ level, x, y, z }: Cell): Cell {
  return { level: level - 1, x: x >>> 1, y: y >>> 1, z: z >>> 1 };
}

export const octantOf = ({ x, y, z }: Cell): number => (x & 1) | ((y & 1) << 1) | ((z & 1) << 2);

/** The distance of points in a node of this level, in units. */
export function spacingOf({ sideBits }: Pick<TreeShape, 'sideBits'>, level: number): number {
  return 2 ** (sideBits - level - voxelBits);
}

/** Points one cloud behind the other. */
export function concatenate(clouds: readonly Cloud[], columns: number): Cloud {
  const count = clouds.reduce((sum, cloud) => sum + cloud.count, 0);
  const joined = Array.from({ length: columns }, (_, i) => {
    const values = new Uint32Array(count);
    let at = 0;
    for (const cloud of clouds) {
      values.set(cloud.columns[i]!.subarray(0, cloud.count), at);
      at += cloud.count;
    }
    return values;
  });
  return { columns: joined, count };
}
