import type { RasterFacts } from '@platen/contract/inspect';
import { tileDegrees } from '@platen/geo/terrain/tile-grid';
import { roundedExpectation, type Expected } from '../raster-source/expect-imagery.ts';
import { metresOfDegree } from '../raster-source/mercator-frame.ts';
import { meshZoomOf } from './pyramid/natural-zoom.ts';

/** Of a packed vertex with a normal. */
const vertexBytes = 10.5;
/** Of the vertices of windows in the resolution of the sheets that tiles have, and those that the curvature adds. */
const shareOfVertices = 0.65;
const leastVertices = 60;
/** The zooms that cover the globe with whole grids, and the thumbnail. */
const globeZooms = 3;
const globeBytes = 330_000;
const thumbnailBytes = 150_000;
/** Tiles of a zoom around the smallest place. */
const leastTiles = 4;
/** Start and end of a job; CPU seconds to begin with, and per million bytes. */
const idleSeconds = 0.4;
const warmUpSeconds = 0.7;
const makeSeconds = 0.45;

/** Quantized-mesh tiles of the standard quality. @param cores number that the job can expect */
export function expectTerrain(
  { degrees, area, outline, meshVertices }: RasterFacts,
  bbox: readonly number[],
  cores: number,
): Expected {
  const zooms = { minZoom: 0, maxZoom: meshZoomOf(degrees) };
  if (meshVertices === undefined) return zooms;
  const middle = ((bbox[1]! + bbox[3]!) / 2) * (Math.PI / 180);
  // web mercator enlarges the latitudes
  const squareDegrees = (area * Math.cos(middle)) / metresOfDegree ** 2;
  const around = (outline * Math.cos(middle)) / metresOfDegree;
  let tiles = 0;
  for (let z = globeZooms; z <= zooms.maxZoom; z++) {
    const side = tileDegrees(z);
    tiles += squareDegrees / side ** 2 + around / side / 2 + leastTiles;
  }
  const vertices = tiles * (leastVertices + shareOfVertices * meshVertices);
  const bytes = globeBytes + thumbnailBytes + vertices * vertexBytes;
  const cpuSeconds = warmUpSeconds + (bytes / 1e6) * makeSeconds;
  return { ...zooms, ...roundedExpectation(bytes, idleSeconds + cpuSeconds / Math.max(1, cores)) };
}
