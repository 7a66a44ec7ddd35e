import type { MeshPart } from '@platen/formats/mesh-model/mesh-model';
import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import { toLocal, type LocalFrame } from '@platen/geo/geodesy/local-frame';
import type { Placement } from '../../models/open-placement.ts';
import type { ReadPart } from './divide-mesh.ts';
import { unitMetres } from './piece.ts';

export interface PlacedPart {
  /** Triangles with image coordinates, and those without. */
  readonly parts: readonly ReadPart[];
  /** Metres above the ellipsoid. */
  readonly lowest: number;
  /** Triangles that are nowhere, or too far away. */
  readonly outside: number;
}

/** What units count to, in metres. */
const reach = 250_000;

/** Moves a part into the frame of the job. Its positions are overwritten. */
export function placePart(
  { positions: given, uvs, colours, indices, material }: MeshPart,
  placement: Placement,
  frame: LocalFrame,
): PlacedPart {
  placement.toGeocentric(given);
  const count = given.length / 3;
  const positions = new Int32Array(count * 3);
  const isOutside = new Uint8Array(count);
  const levels = new Float64Array(count);
  for (let vertex = 0; vertex < count; vertex++) {
    const at = vertex * 3;
    const place = [given[at]!, given[at + 1]!, given[at + 2]!] as const;
    const local = toLocal(frame, place);
    levels[vertex] = geodeticOf(place)[2];
    for (let axis = 0; axis < 3; axis++) {
      // a comparison with NaN is false
      if (!(Math.abs(local[axis]!) < reach)) isOutside[vertex] = 1;
      positions[at + axis] = Math.round(local[axis]! / unitMetres);
    }
  }
  const textured: number[] = [];
  const plain: number[] = [];
  let [lowest, outside] = [Infinity, 0];
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [indices[i]!, indices[i + 1]!, indices[i + 2]!];
    if (corners.some((corner) => isOutside[corner] === 1)) {
      outside++;
      continue;
    }
    for (const corner of corners) lowest = Math.min(lowest, levels[corner]!);
    const hasUvs = uvs !== undefined && corners.every((corner) => isUsable(uvs, corner));
    (hasUvs ? textured : plain).push(...corners);
  }
  const own = { positions, colours, material };
  const parts = [
    { ...own, uvs, indices: Uint32Array.from(textured) },
    { ...own, uvs: undefined, indices: Uint32Array.from(plain) },
  ];
  return { parts: parts.filter((part) => part.indices.length > 0), lowest, outside };
}

const maxRepeats = 1000;

function isUsable(uvs: Float32Array, vertex: number): boolean {
  return Math.abs(uvs[vertex * 2]!) < maxRepeats && Math.abs(uvs[vertex * 2 + 1]!) < maxRepeats;
}
