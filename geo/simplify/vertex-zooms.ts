/** Zoom of a vertex that only the highest zoom, which is not simplified, needs. */
export const neverZoom = 31;

/**
 * Deeper runs are halved instead of split at the farthest vertex, so that a hostile zigzag cannot make the work
 * quadratic. This keeps a few vertices too many, never one too few.
 */
const maxSplitDepth = 64;

/**
 * For each zoom the square of the maximum distance, in world units, between a simplified line and the original.
 * @param units the same distance in tile units; 0 keeps every vertex at every zoom
 */
export function simplificationLimits(
  units: number,
  unitsPerTileUnitAtZoom0: number,
  maxZoom: number,
): Float64Array {
  const limits = new Float64Array(maxZoom + 1);
  for (let zoom = 0; zoom <= maxZoom; zoom++)
    limits[zoom] = (units * unitsPerTileUnitAtZoom0 * 2 ** -zoom) ** 2;
  return limits;
}

const stack: number[] = [];

/**
 * Douglas–Peucker for all zooms at once: writes for each vertex the first zoom that needs it. No vertex is needed
 * earlier than those it was split from, so the vertices of each zoom form a simplified line.
 * @param words x, y from word `start` on, `count` vertices
 * @param zooms bytes from `zoomsStart` on
 */
export function writeVertexZooms(
  { words, start, count }: { words: Int32Array; start: number; count: number },
  { bytes, zoomsStart }: { bytes: Uint8Array; zoomsStart: number },
  limits: Float64Array,
): void {
  bytes[zoomsStart] = 0;
  bytes[zoomsStart + count - 1] = 0;
  if (count <= 2) return;
  if (limits[0] === 0) {
    bytes.fill(0, zoomsStart, zoomsStart + count);
    return;
  }
  stack.push(0, count - 1, 0, 0);
  while (stack.length > 0) {
    const depth = stack.pop()!;
    const floor = stack.pop()!;
    const last = stack.pop()!;
    const first = stack.pop()!;
    if (last - first < 2) continue;
    const ax = words[start + first * 2]!;
    const ay = words[start + first * 2 + 1]!;
    const dx = words[start + last * 2]! - ax;
    const dy = words[start + last * 2 + 1]! - ay;
    const squared = dx * dx + dy * dy;
    let farthest = -1;
    let at = first + 1;
    for (let i = first + 1, w = start + i * 2; i < last; i++, w += 2) {
      let ex = words[w]! - ax;
      let ey = words[w + 1]! - ay;
      if (squared > 0) {
        const t = (ex * dx + ey * dy) / squared;
        if (t >= 1) {
          ex -= dx;
          ey -= dy;
        } else if (t > 0) {
          ex -= dx * t;
          ey -= dy * t;
        }
      }
      const distance = ex * ex + ey * ey;
      if (distance > farthest) {
        farthest = distance;
        at = i;
      }
    }
    let zoom = floor;
    while (zoom < limits.length && farthest <= limits[zoom]!) zoom++;
    if (zoom >= limits.length) {
      // Vertices between the two are only needed at the highest zoom.
      bytes.fill(neverZoom, zoomsStart + first + 1, zoomsStart + last);
      continue;
    }
    if (depth > maxSplitDepth) at = (first + last) >> 1;
    bytes[zoomsStart + at] = zoom;
    stack.push(first, at, zoom, depth + 1, at, last, zoom, depth + 1);
  }
}
