import type { Box } from '@platen/geo/clip/trim-shape';
import { hilbertOf } from '@platen/geo/hilbert/hilbert';
import { worldBits } from '@platen/geo/tile/world-grid';

/** A tile as a node of the global quadtree. */
export interface Node {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export const root: Node = { z: 0, x: 0, y: 0 };

export function nameOf({ z, x, y }: Node): string {
  return `${z}/${x}/${y}`;
}

/** The children in the order of the Hilbert curve. */
export function childrenOf({ z, x, y }: Node): Node[] {
  const children = [0, 1, 2, 3].map((i) => ({ z: z + 1, x: x * 2 + (i & 1), y: y * 2 + (i >> 1) }));
  const place = (child: Node): number => hilbertOf(child.z, child.x, child.y);
  return children.toSorted((a, b) => place(a) - place(b));
}

/** The tile's box in world units, with a margin in tile units. */
export function boxOf({ z, x, y }: Node, extent: number, margin: number): Box {
  const side = 2 ** (worldBits - z);
  const around = (margin / extent) * side;
  return {
    minX: Math.floor(x * side - around),
    minY: Math.floor(y * side - around),
    maxX: Math.ceil((x + 1) * side + around),
    maxY: Math.ceil((y + 1) * side + around),
  };
}
