import { hilbertOf } from '@platen/geo/hilbert/hilbert';
import type { BlockPlace, HeightGrid } from '@platen/geo/terrain/height-grid';

/** The zoom in an archive: the two blocks of zoom 0 of a geographic grid are the upper half of zoom 1 there. */
export function archiveZoomOf({ kind }: HeightGrid, z: number): number {
  return kind === 'geographic' ? z + 1 : z;
}

/** Sorts places of one zoom as an archive has them, along the Hilbert curve. */
export function inArchiveOrder<T>(
  items: readonly T[],
  grid: HeightGrid,
  placeOf: (item: T) => BlockPlace,
): T[] {
  const keyed = items.map((item) => {
    const { z, x, y } = placeOf(item);
    return { item, at: hilbertOf(archiveZoomOf(grid, z), x, y) };
  });
  return keyed.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
}
