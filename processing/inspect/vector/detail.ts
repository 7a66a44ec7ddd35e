import type { GeometryBuffer } from '@platen/formats/feature/geometry-buffer';
import { areDegrees } from '../box.ts';

const metresPerDegree = 111_320;
const maxEdges = 64;

/** Measures the lengths of edges in lines and polygons. */
export interface DetailSample {
  see(geometry: GeometryBuffer): void;
  /** The geometric mean; undefined if there was no edge. */
  metres(): number | undefined;
}

export function createDetailSample(): DetailSample {
  let logs = 0;
  let edges = 0;
  return {
    see({ coordinates, parts, polygonEnds, ringEnds }) {
      const [part] = parts;
      if (part === undefined || part.type === 'Point' || part.type === 'MultiPoint') return;
      const firstRing = part.polygonStart === 0 ? 0 : polygonEnds[part.polygonStart - 1]!;
      const start = firstRing === 0 ? 0 : ringEnds[firstRing - 1]!;
      const end = ringEnds[firstRing] ?? start;
      const step = Math.max(1, Math.floor((end - start) / maxEdges));
      let length = 0;
      let count = 0;
      for (let i = start; i + 1 < end; i += step, count++) length += edgeMetres(coordinates, i);
      if (!(length > 0) || !Number.isFinite(length)) return;
      logs += count * Math.log2(length / count);
      edges += count;
    },
    metres: () => (edges === 0 ? undefined : 2 ** (logs / edges)),
  };
}

/** Coordinates that are not degrees are taken for metres, the unit of nearly all projected systems. */
function edgeMetres(coordinates: Float64Array, position: number): number {
  const at = position * 2;
  const x = coordinates[at]!;
  const y = coordinates[at + 1]!;
  const nextX = coordinates[at + 2]!;
  const nextY = coordinates[at + 3]!;
  if (!areDegrees(x, y)) return Math.hypot(nextX - x, nextY - y);
  const shrink = Math.cos((y * Math.PI) / 180);
  return Math.hypot((nextX - x) * shrink, nextY - y) * metresPerDegree;
}
