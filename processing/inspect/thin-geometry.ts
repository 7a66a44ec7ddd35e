import {
  clearGeometry,
  createGeometryBuffer,
  pushPosition,
  type GeometryBuffer,
} from '@platen/formats/feature/geometry-buffer';
import { writeGeometry } from '@platen/formats/geojson/write-geometry';
import { createByteWriter } from '@platen/geo/mvt/byte-writer';

/** A decimetre; a preview shows no more. */
const decimals = 6;
/** Of one geometry, so that a thousand of them stay within two MiB or so. */
const mostPositions = 400;
const mostRings = 100;
const fewestInRing = 4;

export interface Thinned {
  /** GeoJSON of a geometry, with fewer positions where it has many; undefined where nothing of it can be drawn. */
  toJson(geometry: GeometryBuffer): string | undefined;
}

/** Positions are left out evenly: quick, and enough for a small picture. The buffer is reused. */
export function createThinned(): Thinned {
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
  const step = Math.max(1, Math.ceil(positionCount / mostPositions));
  for (const [ring, end] of ringEnds.entries()) {
    const start = ring === 0 ? 0 : ringEnds[ring - 1]!;
    // a ring left out stays as an empty one, so that all others keep their numbers
    if (ring < mostRings) {
      const ownStep = Math.max(1, Math.min(step, Math.floor((end - start - 1) / fewestInRing)));
      for (let at = start; at < end - 1; at += ownStep)
        pushPosition(thin, coordinates[at * 2]!, coordinates[at * 2 + 1]!);
      if (end > start) pushPosition(thin, coordinates[end * 2 - 2]!, coordinates[end * 2 - 1]!);
    }
    thin.ringEnds.push(thin.positionCount);
  }
  thin.polygonEnds.push(...polygonEnds);
  thin.parts.push(...parts);
}
