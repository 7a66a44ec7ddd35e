import {
  clearGeometry,
  createGeometryBuffer,
  pushPosition,
  type GeometryBuffer,
} from '@platen/formats/feature/geometry-buffer';
import { writeGeometry } from '@platen/formats/geojson/write-geometry';
import { createByteWriter } from '@platen/geo/mvt/byte-writer';

/** About a decimetre, enough for a preview. */
const decimals = 6;
/** Limits one geometry, so that a thousand of them stay within about 2 MiB. */
const maxPositions = 400;
const maxRings = 100;
const minPositionsInRing = 4;

export interface GeometryThinner {
  /** Returns a geometry as GeoJSON with a limited number of positions; undefined if nothing of it can be drawn. */
  toJson(geometry: GeometryBuffer): string | undefined;
}

/** Leaves out positions evenly, which is fast and good enough for a small picture. The buffer is reused. */
export function createGeometryThinner(): GeometryThinner {
  const thin = createGeometryBuffer();
  const out = createByteWriter(64 * 1024);
  const text = new TextDecoder();
  return {
    toJson(geometry) {
      thinInto(thin, geometry);
      out.length = 0;
      return writeGeometry(out, thin, decimals) ? text.decode(out.bytes.subarray(0, out.length)) : undefined;
    },
  };
}

function thinInto(thin: GeometryBuffer, geometry: GeometryBuffer): void {
  const { coordinates, positionCount, ringEnds, polygonEnds, parts } = geometry;
  clearGeometry(thin);
  const step = Math.max(1, Math.ceil(positionCount / maxPositions));
  for (const [ring, end] of ringEnds.entries()) {
    const start = ring === 0 ? 0 : ringEnds[ring - 1]!;
    // an omitted ring stays as an empty one, so that the indices of the others remain valid
    if (ring < maxRings) {
      const ownStep = Math.max(1, Math.min(step, Math.floor((end - start - 1) / minPositionsInRing)));
      for (let at = start; at < end - 1; at += ownStep)
        pushPosition(thin, coordinates[at * 2]!, coordinates[at * 2 + 1]!);
      if (end > start) pushPosition(thin, coordinates[end * 2 - 2]!, coordinates[end * 2 - 1]!);
    }
    thin.ringEnds.push(thin.positionCount);
  }
  thin.polygonEnds.push(...polygonEnds);
  thin.parts.push(...parts);
}
