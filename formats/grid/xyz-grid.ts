import { BytesError } from '../bytes/bytes.ts';

/** A grid of points: where its first is, and how far they are apart. */
export interface PointGrid {
  readonly columns: number;
  readonly rows: number;
  readonly west: number;
  readonly north: number;
  readonly step: readonly [x: number, y: number];
}

/** Share of a step that points may be off their place. */
const tolerance = 0.05;
/** Different coordinates of points of which the step is found. */
const maxValues = 200_000;

/**
 * Finds the grid that points lie on, whatever their order; some may be missing.
 * @param points x, y and height of each
 * @param isSample whether there are more of them
 * @throws BytesError where they are on no grid
 */
export async function gridOfPoints(
  points: AsyncIterable<Float64Array> | Iterable<Float64Array>,
  { isSample = false } = {},
): Promise<PointGrid> {
  const [xs, ys] = [new Set<number>(), new Set<number>()];
  let count = 0;
  for await (const part of points) {
    for (let i = 0; i < part.length; i += 3) {
      xs.add(part[i]!);
      ys.add(part[i + 1]!);
      count++;
    }
    if (xs.size > maxValues || ys.size > maxValues)
      throw noGrid(`its points have more than ${maxValues} coordinates`);
  }
  if (count < 4) throw noGrid('it has fewer than four points');
  // a sample may be of the first and the last row alone
  const x = axisOf(ascending(xs), 'x', isSample && xs.size === 2 ? stepOf(ascending(ys)) : Infinity);
  const y = axisOf(ascending(ys), 'y', isSample && ys.size === 2 ? x.step : Infinity);
  if (!isSample && x.count * y.count > 64 * count)
    throw noGrid(
      `its ${count} points are less than a 64th of the ${x.count} × ${y.count} places of their grid`,
    );
  return { columns: x.count, rows: y.count, west: x.first, north: y.last, step: [x.step, y.step] };
}

/** The number of the place of a point, in rows from the north. */
export function placeInGrid({ columns, west, north, step }: PointGrid, x: number, y: number): number {
  return Math.round((north - y) / step[1]) * columns + Math.round((x - west) / step[0]);
}

/** Heights in rows from the north; NaN where no point is. */
export async function cellsOfPoints(
  points: AsyncIterable<Float64Array>,
  grid: PointGrid,
): Promise<Float32Array> {
  const cells = new Float32Array(grid.columns * grid.rows).fill(NaN);
  for await (const part of points)
    for (let i = 0; i < part.length; i += 3) cells[placeInGrid(grid, part[i]!, part[i + 1]!)] = part[i + 2]!;
  return cells;
}

/** The least difference of ascending values; Infinity if they are one. */
function stepOf(sorted: Float64Array): number {
  // what differs by rounding is the same place
  const minStep = (sorted.at(-1)! - sorted[0]!) * 1e-7;
  let step = Infinity;
  for (let i = 1; i < sorted.length; i++) {
    const difference = sorted[i]! - sorted[i - 1]!;
    if (difference > minStep && difference < step) step = difference;
  }
  return step;
}

const ascending = (values: ReadonlySet<number>): Float64Array => Float64Array.from(values).sort();

function axisOf(sorted: Float64Array, name: string, maxStep: number) {
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  const extent = last - first;
  const step = Math.min(maxStep, stepOf(sorted));
  if (!Number.isFinite(step)) throw noGrid(`all of its points have the same ${name}`);
  const count = Math.round(extent / step) + 1;
  const exact = extent / (count - 1);
  for (const value of sorted) {
    const place = (value - first) / exact;
    if (Math.abs(place - Math.round(place)) > tolerance)
      throw noGrid(`its ${name} ${value} is not a multiple of ${Number(exact.toPrecision(6))} from ${first}`);
  }
  return { first, last, step: exact, count };
}

function noGrid(reason: string): BytesError {
  return new BytesError(
    `its points are on no regular grid: ${reason}. Interpolate them (gdal_grid), and use the result`,
  );
}
