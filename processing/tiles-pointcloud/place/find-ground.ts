/** Parts of a cloud along its sides, at most. */
const maxGridSide = 16;
/** About as many points are in each part, at least. */
const pointsPerPart = 64;
/** Ground is where so many of the points of a part lie close above each other, and no others below. */
const groundShare = 0.05;
const minGroundPoints = 4;
/** In metres. */
const minBand = 5;
/** Of the heights of a part, without what is far above and below: ground may be steep. */
const bandShare = 0.1;

/**
 * The height of the ground in each part of a cloud, in no order. Errors lie alone, deep below or high above it, and are many
 * among points that were thinned out: each is the only one in its voxel.
 * @param places longitude and latitude of each point, in degrees @param heights in metres; NaN of points to leave out
 */
export function groundsOf(places: Float64Array, heights: Float64Array): number[] {
  const count = heights.reduce((sum, height) => sum + (Number.isNaN(height) ? 0 : 1), 0);
  const side = Math.max(1, Math.min(maxGridSide, Math.floor(Math.sqrt(count / pointsPerPart))));
  const partOf = partsOf(places, side);
  const parts = Map.groupBy(
    heights.keys().filter((i) => !Number.isNaN(heights[i]!)),
    partOf,
  );
  return [...parts.values()].flatMap((numbers) => {
    const own = Float64Array.from(numbers, (i) => heights[i]!).toSorted();
    return groundOf(own) ?? [];
  });
}

/** Numbers the parts by their rows. */
function partsOf(places: Float64Array, side: number): (point: number) => number {
  const ranges = [rangeOf(places, 0), rangeOf(places, 1)];
  const at = (point: number, axis: 0 | 1): number => {
    const { low, high } = ranges[axis]!;
    return Math.min(side - 1, Math.floor(((places[point * 2 + axis]! - low) / (high - low || 1)) * side));
  };
  return (point) => at(point, 1) * side + at(point, 0);
}

/** The ends of the longitudes (axis 0) or latitudes (1) of places. */
export function rangeOf(places: Float64Array, axis: 0 | 1): { readonly low: number; readonly high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (let i = axis; i < places.length; i += 2) {
    low = Math.min(low, places[i]!);
    high = Math.max(high, places[i]!);
  }
  return { low, high };
}

/** @param sorted ascending @returns undefined where too few points lie close to each other */
function groundOf(sorted: Float64Array): number | undefined {
  const needed = Math.max(minGroundPoints, Math.ceil(sorted.length * groundShare));
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  const band = Math.max(minBand, bandShare * (at(0.95) - at(0.05)));
  for (let i = 0; i + needed <= sorted.length; i++)
    if (sorted[i + needed - 1]! - sorted[i]! <= band) return sorted[i]!;
  return undefined;
}
