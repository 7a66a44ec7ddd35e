/** Points as x, y, z, each in an array of its own, of which the first `count` are used. */
export interface Places {
  readonly xs: Uint32Array;
  readonly ys: Uint32Array;
  readonly zs: Uint32Array;
  readonly count: number;
}

/** Finds how near the nearest of some points is. */
export interface NearestSearch {
  /** The square of the distance to the nearest point if that is less than `limit`, else `limit`. */
  squareTo(x: number, y: number, z: number, limit: number): number;
}

/** Points that are looked at one by one. */
const leafPoints = 8;

/**
 * A k-d tree: the point in the middle of a range divides it along the axis in which it is widest, and lies between its halves.
 * @param places are brought into another order
 */
export function createNearestSearch(places: Places): NearestSearch {
  const { xs, ys, zs, count } = places;
  const axes = [xs, ys, zs];
  /** Of each point that divides a range. */
  const axisOf = new Uint8Array(count);
  const build = (from: number, end: number): void => {
    if (end - from <= leafPoints) return;
    const axis = widestAxis(axes, from, end);
    const middle = (from + end) >>> 1;
    select(places, axes[axis]!, [from, end], middle);
    axisOf[middle] = axis;
    build(from, middle);
    build(middle + 1, end);
  };
  build(0, count);
  const place = [0, 0, 0];
  let best = 0;
  const look = (point: number): void => {
    const [dx, dy, dz] = [xs[point]! - place[0]!, ys[point]! - place[1]!, zs[point]! - place[2]!];
    const square = dx * dx + dy * dy + dz * dz;
    if (square < best) best = square;
  };
  const search = (from: number, end: number): void => {
    if (end - from <= leafPoints) {
      for (let point = from; point < end; point++) look(point);
      return;
    }
    const middle = (from + end) >>> 1;
    const axis = axisOf[middle]!;
    const off = place[axis]! - axes[axis]![middle]!;
    look(middle);
    if (off < 0) search(from, middle);
    else search(middle + 1, end);
    if (off * off >= best) return;
    if (off < 0) search(middle + 1, end);
    else search(from, middle);
  };
  return {
    squareTo(x, y, z, limit) {
      [place[0], place[1], place[2]] = [x, y, z];
      best = limit;
      search(0, count);
      return best;
    },
  };
}

function widestAxis(axes: readonly Uint32Array[], from: number, end: number): number {
  let [widest, axis] = [-1, 0];
  for (const [number, values] of axes.entries()) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = from; i < end; i++) {
      const value = values[i]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > widest) [widest, axis] = [high - low, number];
  }
  return axis;
}

/** Quickselect: afterwards no point before `middle` has a larger value, and none behind it a smaller one. */
function select(
  { xs, ys, zs }: Places,
  values: Uint32Array,
  [from, end]: readonly [number, number],
  middle: number,
): void {
  const swap = (i: number, j: number): void => {
    for (const column of [xs, ys, zs]) {
      const value = column[i]!;
      column[i] = column[j]!;
      column[j] = value;
    }
  };
  let [low, high] = [from, end - 1];
  let chance = 1;
  while (low < high) {
    // a pivot by chance: no order of points makes this slow
    chance = (Math.imul(chance, 1_664_525) + 1_013_904_223) >>> 0;
    const pivot = values[low + (chance % (high - low + 1))]!;
    let [i, j] = [low, high];
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      swap(i++, j--);
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}
