/** Heights of the ground at corners of a grid of 1/2^n degrees, which data sets that overlap have in common. */
export interface GroundHeights {
  readonly corners: readonly GroundHeight[];
}

export interface GroundHeight {
  readonly lon: number;
  readonly lat: number;
  /** Metres, as given in the data. */
  readonly height: number;
}

/** Corners kept of a data set. */
export const maxCorners = 256;
/** The finest grid: 27 m. */
const maxLevel = 12;

/** The corners at which to take the heights of a data set: as many as may be kept, of one grid. */
export function cornersWithin([west, south, east, north]: readonly [
  number,
  number,
  number,
  number,
]): (readonly [lon: number, lat: number])[] {
  for (let level = maxLevel; level >= 0; level--) {
    const step = 2 ** -level;
    const [left, bottom] = [Math.ceil(west / step), Math.ceil(south / step)];
    const columns = Math.floor(east / step) - left + 1;
    const rows = Math.floor(north / step) - bottom + 1;
    if (columns <= 0 || rows <= 0 || columns * rows > maxCorners) continue;
    return Array.from({ length: columns * rows }, (_, i) => [
      (left + (i % columns)) * step,
      (bottom + Math.floor(i / columns)) * step,
    ]);
  }
  return [];
}

export interface GroundComparison {
  /** Corners that both have. */
  readonly shared: number;
  /** Metres that the one is above the other. */
  readonly medianDifference: number;
  /** How many times the other's heights these are, where the ground is high enough to tell. */
  readonly medianRatio: number | undefined;
}

const minShared = 3;
/** Metres below which a ratio says nothing. */
const minRatioHeight = 30;

/** Undefined where they have too few corners in common. */
export function compareGround(one: GroundHeights, other: GroundHeights): GroundComparison | undefined {
  const known = new Map(other.corners.map(({ lon, lat, height }) => [`${lon} ${lat}`, height]));
  const pairs = one.corners.flatMap(({ lon, lat, height }) => {
    const theirs = known.get(`${lon} ${lat}`);
    return theirs === undefined || !Number.isFinite(theirs - height) ? [] : [[height, theirs] as const];
  });
  if (pairs.length < minShared) return undefined;
  const high = pairs.filter(([, theirs]) => Math.abs(theirs) >= minRatioHeight);
  return {
    shared: pairs.length,
    medianDifference: median(pairs.map(([own, theirs]) => own - theirs)),
    medianRatio: high.length < minShared ? undefined : median(high.map(([own, theirs]) => own / theirs)),
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
