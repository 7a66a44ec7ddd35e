import type { BlockPlace, HeightGrid } from '@platen/geo/terrain/height-grid';

/**
 * A pyramid that is made in layers of a few zooms: a unit of a layer is a block with all that is below it within the layer,
 * and what one task makes.
 */
export interface PyramidShape {
  readonly grid: HeightGrid;
  /** The zoom whose cells are read from the sheets. */
  readonly baseZoom: number;
  /** Zooms of a full layer. */
  readonly depth: number;
}

export interface ZoomLayer {
  readonly rootZoom: number;
  /** The lowest zoom of the layer, that of its smallest cells. */
  readonly bottomZoom: number;
}

/** From the base to the top. */
export function layersOf({ baseZoom, depth }: PyramidShape): ZoomLayer[] {
  const layers: ZoomLayer[] = [];
  for (let bottomZoom = baseZoom; bottomZoom >= 0;) {
    const rootZoom = Math.max(0, bottomZoom - depth + 1);
    layers.push({ rootZoom, bottomZoom });
    bottomZoom = rootZoom - 1;
  }
  return layers;
}

export function layerOfZoom(layers: readonly ZoomLayer[], z: number): ZoomLayer {
  return layers.find(({ rootZoom, bottomZoom }) => z >= rootZoom && z <= bottomZoom)!;
}

/** The unit that holds a block. */
export function unitOf({ z, x, y }: BlockPlace, { rootZoom }: ZoomLayer): BlockPlace {
  const scale = 2 ** (z - rootZoom);
  return { z: rootZoom, x: Math.floor(x / scale), y: Math.floor(y / scale) };
}

/** The number of a block in its unit: zoom by zoom, row by row. */
export function indexInUnit({ z, x, y }: BlockPlace, unit: BlockPlace): number {
  const level = z - unit.z;
  const scale = 2 ** level;
  return (4 ** level - 1) / 3 + (y - unit.y * scale) * scale + (x - unit.x * scale);
}

/** The blocks of a unit in the order of their numbers. */
export function* blocksOfUnit(unit: BlockPlace, { rootZoom, bottomZoom }: ZoomLayer): Generator<BlockPlace> {
  for (let z = rootZoom; z <= bottomZoom; z++) {
    const scale = 2 ** (z - rootZoom);
    for (let y = 0; y < scale; y++)
      for (let x = 0; x < scale; x++) yield { z, x: unit.x * scale + x, y: unit.y * scale + y };
  }
}

export function keyOf({ z, x, y }: BlockPlace): string {
  return `${z}/${x}/${y}`;
}
