/**
 * Surfaces as arrays: positions, rings as ranges of positions, surfaces as ranges of rings, of which the first is the
 * outer one. Rings may repeat their first position at the end.
 */
export interface SurfaceSet {
  /** x, y, z of each position. */
  positions: Float64Array;
  positionCount: number;
  /** Number of positions up to the end of each ring. */
  readonly ringEnds: number[];
  /** Number of rings up to the end of each surface. */
  readonly surfaceEnds: number[];
  /** The number of a role of each surface; see `surface-roles.ts`. */
  readonly roles: number[];
  /** The number of a look of each surface; -1 without one. */
  readonly looks: number[];
  /** u, v of each position, v upwards; NaN without. Undefined if no surface has an image. */
  uvs: Float32Array | undefined;
}

const initialNumbers = 3 * 32;
/** Memory of which sets get their positions, as it takes longer to get some for each. It is freed with the last of them. */
const blockNumbers = 1 << 14;
let block = new Float64Array(0);
let blockUsed = 0;

function takeNumbers(count: number): Float64Array {
  if (blockUsed + count > block.length) {
    block = new Float64Array(Math.max(blockNumbers, count));
    blockUsed = 0;
  }
  blockUsed += count;
  return block.subarray(blockUsed - count, blockUsed);
}

/** Twice as much memory with the same content; in its place, if nothing else has got some since. */
function doubled(numbers: Float64Array): Float64Array {
  const { buffer, byteOffset, length } = numbers;
  const start = byteOffset / 8;
  if (buffer === block.buffer && start + length === blockUsed && start + 2 * length <= block.length) {
    blockUsed += length;
    return block.subarray(start, blockUsed);
  }
  const larger = takeNumbers(2 * length);
  larger.set(numbers);
  return larger;
}

export const createSurfaceSet = (): SurfaceSet => ({
  positions: takeNumbers(initialNumbers),
  positionCount: 0,
  ringEnds: [],
  surfaceEnds: [],
  roles: [],
  looks: [],
  uvs: undefined,
});

/** Moves the positions of a set that is kept for long out of its block, all of which would stay with it. */
export function leaveBlock(set: SurfaceSet): void {
  const used = set.positionCount * 3;
  const own = new Float64Array(Math.max(used, initialNumbers));
  own.set(set.positions.subarray(0, used));
  set.positions = own;
}

export function pushPosition3d(set: SurfaceSet, x: number, y: number, z: number): void {
  const at = set.positionCount * 3;
  if (at === set.positions.length) set.positions = doubled(set.positions);
  const { positions } = set;
  positions[at] = x;
  positions[at + 1] = y;
  positions[at + 2] = z;
  set.positionCount++;
}

/** Ends a ring; one without positions is left out. */
export function endRing3d(set: SurfaceSet): void {
  const { ringEnds } = set;
  if (startOf(ringEnds, ringEnds.length) < set.positionCount) ringEnds.push(set.positionCount);
}

/** Ends a surface; one without rings is left out. */
export function endSurface3d(set: SurfaceSet, role: number, look = -1): void {
  const { surfaceEnds, ringEnds } = set;
  if (startOf(surfaceEnds, surfaceEnds.length) === ringEnds.length) return;
  surfaceEnds.push(ringEnds.length);
  set.roles.push(role);
  set.looks.push(look);
}

/** The first ring of a surface, or the first position of a ring. */
export const startOf = (ends: readonly number[], index: number): number =>
  index === 0 ? 0 : ends[index - 1]!;

/** Puts image coordinates to a ring. The last of them may be missing, as rings need not be closed. */
export function setRingUvs(set: SurfaceSet, ring: number, uvs: ArrayLike<number>): void {
  set.uvs ??= new Float32Array(set.positionCount * 2).fill(NaN);
  const start = startOf(set.ringEnds, ring);
  const count = set.ringEnds[ring]! - start;
  for (let i = 0; i < count; i++) {
    const from = i * 2 + 1 < uvs.length ? i * 2 : 0;
    set.uvs[(start + i) * 2] = uvs[from]!;
    set.uvs[(start + i) * 2 + 1] = uvs[from + 1]!;
  }
}

export interface CopiedSurfaces {
  readonly from: SurfaceSet;
  /** A range of surfaces. */
  readonly start: number;
  readonly end: number;
  /** Turns the surfaces around. */
  readonly isFlipped: boolean;
}

/** Appends surfaces of another set. */
export function copySurfaces(to: SurfaceSet, { from, start, end, isFlipped }: CopiedSurfaces): void {
  const uvs: number[] = [];
  const firstPosition = to.positionCount;
  for (let surface = start; surface < end; surface++) {
    for (let ring = startOf(from.surfaceEnds, surface); ring < from.surfaceEnds[surface]!; ring++) {
      const first = startOf(from.ringEnds, ring);
      const last = from.ringEnds[ring]! - 1;
      for (let i = first; i <= last; i++) {
        const at = isFlipped ? last - (i - first) : i;
        pushPosition3d(to, from.positions[at * 3]!, from.positions[at * 3 + 1]!, from.positions[at * 3 + 2]!);
        if (from.uvs !== undefined) uvs.push(from.uvs[at * 2]!, from.uvs[at * 2 + 1]!);
      }
      endRing3d(to);
    }
    endSurface3d(to, from.roles[surface]!, from.looks[surface]!);
  }
  if (to.uvs === undefined && from.uvs === undefined) return;
  const grown = new Float32Array(to.positionCount * 2).fill(NaN);
  if (to.uvs !== undefined) grown.set(to.uvs);
  grown.set(uvs, firstPosition * 2);
  to.uvs = grown;
}

/** Turns the last surface around. */
export function flipLastSurface({ positions, ringEnds, surfaceEnds }: SurfaceSet): void {
  for (let ring = surfaceEnds.at(-2) ?? 0; ring < ringEnds.length; ring++) {
    let [i, j] = [ring === 0 ? 0 : ringEnds[ring - 1]!, ringEnds[ring]! - 1];
    for (; i < j; i++, j--)
      for (let axis = 0; axis < 3; axis++) {
        const kept = positions[i * 3 + axis]!;
        positions[i * 3 + axis] = positions[j * 3 + axis]!;
        positions[j * 3 + axis] = kept;
      }
  }
}
