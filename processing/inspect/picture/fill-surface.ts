export interface DepthImage {
  readonly width: number;
  readonly height: number;
  /** From 0, nothing, to 1, in full light. */
  readonly shade: Float32Array;
  /** How near what is seen there is. */
  readonly depth: Float32Array;
  /** Looks at pixels and corners that are left: large surfaces that lie on each other may take no longer than others. */
  work: number;
}

export interface FlatSurface {
  /** Pixels to the right, pixels down, nearness. */
  readonly points: Float64Array;
  /** Its first position. */
  readonly start: number;
  /** In positions: the outline's, then those of holes. */
  readonly ringEnds: readonly number[];
  readonly shade: number;
}

/** By the even-odd rule, where nothing nearer is. @returns whether a pixel of it is seen */
export function fillSurface(image: DepthImage, surface: FlatSurface): boolean {
  const plane = planeOf(surface);
  const end = surface.ringEnds.at(-1)!;
  if (plane === undefined) return false;
  const [top, bottom] = rowsOf(surface, end, image.height);
  let isSeen = false;
  for (let row = top; row <= bottom; row++) {
    image.work -= end - surface.start;
    if (image.work < 0) return isSeen;
    const crossings = crossingsOf(surface, row + 0.5);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const from = Math.max(0, Math.ceil(crossings[i]! - 0.5));
      const to = Math.min(image.width - 1, Math.ceil(crossings[i + 1]! - 0.5) - 1);
      image.work -= Math.max(0, to - from);
      for (let x = from; x <= to; x++) {
        const nearness = plane.at(x + 0.5, row + 0.5);
        const pixel = row * image.width + x;
        if (nearness <= image.depth[pixel]!) continue;
        image.depth[pixel] = nearness;
        image.shade[pixel] = surface.shade;
        isSeen = true;
      }
    }
  }
  return isSeen;
}

function rowsOf({ points, start }: FlatSurface, end: number, height: number): [number, number] {
  let [top, bottom] = [Infinity, -Infinity];
  for (let i = start; i < end; i++) {
    const y = points[i * 3 + 1]!;
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return [Math.max(0, Math.ceil(top - 0.5)), Math.min(height - 1, Math.ceil(bottom - 0.5) - 1)];
}

function crossingsOf({ points, start, ringEnds }: FlatSurface, y: number): number[] {
  const crossings: number[] = [];
  let first = start;
  for (const end of ringEnds) {
    for (let i = first, before = end - 1; i < end; before = i++) {
      const [ay, by] = [points[before * 3 + 1]!, points[i * 3 + 1]!];
      if (ay <= y === by <= y) continue;
      const ax = points[before * 3]!;
      crossings.push(ax + ((y - ay) / (by - ay)) * (points[i * 3]! - ax));
    }
    first = end;
  }
  return crossings.sort((a, b) => a - b);
}

/** Nearness over the picture; undefined of what is seen from its edge. */
function planeOf({
  points,
  start,
  ringEnds,
}: FlatSurface): { at: (x: number, y: number) => number } | undefined {
  const end = ringEnds[0]!;
  const [x0, y0, z0] = [points[start * 3]!, points[start * 3 + 1]!, points[start * 3 + 2]!];
  let [nx, ny, nz] = [0, 0, 0];
  for (let i = start, before = end - 1; i < end; before = i++) {
    const [ax, ay, az] = [
      points[before * 3]! - x0,
      points[before * 3 + 1]! - y0,
      points[before * 3 + 2]! - z0,
    ];
    const [bx, by, bz] = [points[i * 3]! - x0, points[i * 3 + 1]! - y0, points[i * 3 + 2]! - z0];
    nx += (ay - by) * (az + bz);
    ny += (az - bz) * (ax + bx);
    nz += (ax - bx) * (ay + by);
  }
  if (!(Math.abs(nz) > 1e-9)) return undefined;
  return { at: (x, y) => z0 - (nx * (x - x0) + ny * (y - y0)) / nz };
}
