import { emptyExtent, type Extent } from '../mesh/extent.ts';
import { createSurfaceBuffer, type SurfaceBuffer } from '../mesh/surface-buffer.ts';

/** What CityGML and CityJSON have in common, as far as it has been seen. */
export interface CityContents {
  /** City objects by their class, parts included. */
  readonly cityObjects: Map<string, number>;
  readonly boundarySurfaces: Map<string, number>;
  /** Geometries that stand for a level of detail. */
  readonly geometryTypes: Map<string, number>;
  readonly lods: Map<string, number>;
  readonly themes: Set<string>;
  /** Files of textures, as the model names them. */
  readonly textures: Set<string>;
  materials: number;
  /** Of all positions, in the order of axes of the file. */
  readonly extent: Extent;
  /** Polygons, the first of them. */
  readonly surfaces: SurfaceBuffer;
}

const mostPositions = 400_000;

export const createCityContents = (): CityContents => ({
  cityObjects: new Map(),
  boundarySurfaces: new Map(),
  geometryTypes: new Map(),
  lods: new Map(),
  themes: new Set(),
  textures: new Set(),
  materials: 0,
  extent: emptyExtent(),
  surfaces: createSurfaceBuffer(mostPositions),
});

/** Names that a file of nothing but names has are told of up to a bound. */
export function count(counts: Map<string, number>, name: string): void {
  const known = counts.get(name);
  if (known !== undefined) counts.set(name, known + 1);
  else if (counts.size < 500) counts.set(name.slice(0, 200), 1);
}
