/** What a vertex gets that only the highest zoom, where nothing is simplified, needs. */
export const neverZoom = 31;

/**
 * Deeper down, a run is halved instead of split where it is farthest off, so that a hostile zigzag cannot make
 * the work quadratic. Keeps a few vertices too many there, never one too few.
 */
const deepestSplit = 64;

/**
 * Per zoom the square of the distance, in world units, that a simplified line may leave the original.
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
 * Douglas–Peucker once for all zooms: writes for each vertex the first zoom at which it is needed. A vertex
 * is never needed earlier than those it hangs on, so the vertices of each zoom are a simplified line.
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
      // Nothing between the two is ever needed below the highest zoom.
      bytes.fill(neverZoom, zoomsStart + first + 1, zoomsStart + last);
      continue;
    }
    if (depth > deepestSplit) at = (first + last) >> 1;
    bytes[zoomsStart + at] = zoom;
    stack.push(first, at, zoom, depth + 1, at, last, zoom, depth + 1);
  }
}
