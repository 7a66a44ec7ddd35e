import { interpolate } from '@platen/formats/geoid/geoid-grid';
import { openShippedGrid } from '@platen/formats/geoid/shipped-grid-file';
import { egm96 } from '@platen/formats/geoid/shipped-grids';
import type { OpenedHeights } from '../../heights/open-heights.ts';

const nodes = 9;

/**
 * Metres of the sea above the ellipsoid on a small grid over the extent, so that heights above the sea can be told from the
 * terrain: by the geoid of the data, or else EGM96.
 */
export async function undulationsOf(
  [west, south, east, north]: readonly [number, number, number, number],
  heights: readonly OpenedHeights[],
  offset: number,
): Promise<{ columns: number; rows: number; values: number[] }> {
  const points = new Float64Array(nodes * nodes * 3);
  for (let i = 0; i < nodes * nodes; i++) {
    points[i * 3] = west + ((east - west) * (i % nodes)) / (nodes - 1);
    points[i * 3 + 1] = north - ((north - south) * Math.floor(i / nodes)) / (nodes - 1);
  }
  const own = heights.find(({ vertical }) => vertical.kind === 'seaLevel');
  const world = await openShippedGrid(egm96);
  own?.toEllipsoid(points, nodes * nodes);
  const values = Array.from({ length: nodes * nodes }, (_, i) => {
    const height = own ? points[i * 3 + 2]! - offset : interpolate(world, points[i * 3]!, points[i * 3 + 1]!);
    return Number(height.toFixed(3));
  });
  return { columns: nodes, rows: nodes, values };
}
