import type { Bytes } from '../bytes/bytes.ts';
import { emptyExtent, growExtent, type Extent } from './extent.ts';
import {
  createSurfaceBuffer,
  endRing,
  endSurface,
  isFull,
  pushVertex,
  type SurfaceBuffer,
} from './surface-buffer.ts';

const headerBytes = 84;
const triangleBytes = 50;
const maxPositions = 400_000;
const maxSampleBytes = 64 << 20;
const chunkBytes = 1 << 20;

/**
 * The number of triangles that a binary STL declares; undefined if its size does not match, unless it may be
 * truncated.
 */
export function stlTriangles(head: Uint8Array, size: number): number | undefined {
  if (head.length < headerBytes + triangleBytes) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const triangles = view.getUint32(80, true);
  if (triangles === 0) return undefined;
  if (headerBytes + triangles * triangleBytes === size) return triangles;
  // Cut off: then the header and the first triangle have to be the more convincing.
  const isNamed = /^(?!solid\s+\S+\s*\n)[\x20-\x7e\0]{80}$/.test(
    Buffer.from(head.subarray(0, 80)).toString('latin1'),
  );
  const isLonger = headerBytes + triangles * triangleBytes > size;
  return isNamed && isLonger && triangles < 1e8 && isTriangle(view) ? triangles : undefined;
}

/** A normal of length one or zero, corners that are finite, and no attributes. */
function isTriangle(view: DataView): boolean {
  const floats = Array.from({ length: 12 }, (_, i) => view.getFloat32(headerBytes + i * 4, true));
  const length = Math.hypot(...floats.slice(0, 3));
  const areUsual = floats.every((value) => Number.isFinite(value) && Math.abs(value) < 1e8);
  const areReal = floats.slice(3).some((value) => Math.abs(value) > 1e-6);
  return areUsual && areReal && (length === 0 || Math.abs(length - 1) < 0.01);
}

export interface StlSample {
  readonly extent: Extent;
  readonly surfaces: SurfaceBuffer;
  readonly isWhole: boolean;
}

export async function sampleStl(bytes: Bytes, triangles: number): Promise<StlSample> {
  const extent = emptyExtent();
  const surfaces = createSurfaceBuffer(maxPositions);
  const sampleBytes = Math.min(triangles * triangleBytes, maxSampleBytes);
  const step = chunkBytes - (chunkBytes % triangleBytes);
  for (let at = 0; at < sampleBytes; at += step) {
    const chunk = await bytes.read(headerBytes + at, Math.min(step, sampleBytes - at));
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let from = 12; from + 38 <= chunk.length; from += triangleBytes) {
      const isSampled = !isFull(surfaces);
      for (let corner = 0; corner < 3; corner++) {
        const [x, y, z] = [0, 4, 8].map((axis) => view.getFloat32(from + corner * 12 + axis, true));
        growExtent(extent, x!, y!, z!);
        if (isSampled) pushVertex(surfaces, x!, y!, z!);
      }
      if (!isSampled) continue;
      endRing(surfaces);
      endSurface(surfaces);
    }
    if (chunk.length < step) break;
  }
  return { extent, surfaces, isWhole: triangles * triangleBytes <= sampleBytes };
}
