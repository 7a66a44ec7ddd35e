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

/** Lowest and highest x, y and z of a node. */
const boxNumbers = 6;

/**
 * A k-d tree with the box of each node: the middle of a range divides it along the axis in which it is widest. Boxes, rather than the planes between
 * them, bound the search, as point clouds are flat: what lies above them is far from all of it along the axes that divide them.
 * @param places are brought into another order
 */
export function createNearestSearch(places: Places): NearestSearch {
  const { xs, ys, zs, count } = places;
  const axes = [xs, ys, zs];
  let depth = 0;
  while (count / 2 ** depth > leafPoints) depth++;
  /** Of nodes by number: 1 is the root, 2n and 2n + 1 are below n. */
  const boxes = new Uint32Array(boxNumbers * 2 ** (depth + 1));
  const build = (from: number, end: number, node: number): void => {
    const axis = measureBox(axes, [from, end], boxes.subarray(node * boxNumbers, (node + 1) * boxNumbers));
    if (end - from <= leafPoints) return;
    const middle = (from + end) >>> 1;
    select(places, axes[axis]!, [from, end], middle);
    build(from, middle, 2 * node);
    build(middle, end, 2 * node + 1);
  };
  build(0, count, 1);
  const place = [0, 0, 0];
  let best = 0;
  const squareToBox = (node: number): number => {
    let square = 0;
    for (let axis = 0; axis < 3; axis++) {
      const value = place[axis]!;
      const at = node * boxNumbers + 2 * axis;
      const off = Math.max(0, boxes[at]! - value, value - boxes[at + 1]!);
      square += off * off;
    }
    return square;
  };
  const search = (from: number, end: number, node: number): void => {
    if (squareToBox(node) >= best) return;
    if (end - from <= leafPoints) {
      for (let point = from; point < end; point++) {
        const [dx, dy, dz] = [xs[point]! - place[0]!, ys[point]! - place[1]!, zs[point]! - place[2]!];
        best = Math.min(best, dx * dx + dy * dy + dz * dz);
      }
      return;
    }
    const middle = (from + end) >>> 1;
    const isLeftNearer = squareToBox(2 * node) <= squareToBox(2 * node + 1);
    if (isLeftNearer) search(from, middle, 2 * node);
    search(middle, end, 2 * node + 1);
    if (!isLeftNearer) search(from, middle, 2 * node);
  };
  return {
    squareTo(x, y, z, limit) {
      [place[0], place[1], place[2]] = [x, y, z];
      best = limit;
      if (count > 0) search(0, count, 1);
      return best;
    },
  };
}

/** @returns the axis in which a range is widest */
function measureBox(
  axes: readonly Uint32Array[],
  [from, end]: readonly [number, number],
  box: Uint32Array,
): number {
  let [widest, axis] = [-1, 0];
  for (const [number, values] of axes.entries()) {
    let [low, high] = [Infinity, 0];
    for (let i = from; i < end; i++) {
      const value = values[i]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    box[2 * number] = low;
    box[2 * number + 1] = high;
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
