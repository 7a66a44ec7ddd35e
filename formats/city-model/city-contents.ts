import { emptyExtent, type Extent } from '../mesh/extent.ts';
import { createSurfaceBuffer, type SurfaceBuffer } from '../mesh/surface-buffer.ts';

/** The contents that CityGML and CityJSON have in common, as far as the file was read. */
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
  /** The extent of all positions, in the axis order of the file. */
  readonly extent: Extent;
  /** Polygons, the first of them. */
  readonly surfaces: SurfaceBuffer;
}

const maxPositions = 400_000;

export const createCityContents = (): CityContents => ({
  cityObjects: new Map(),
  boundarySurfaces: new Map(),
  geometryTypes: new Map(),
  lods: new Map(),
  themes: new Set(),
  textures: new Set(),
  materials: 0,
  extent: emptyExtent(),
  surfaces: createSurfaceBuffer(maxPositions),
});

/** Counts a name, up to a bound on the number of names: a file may consist of nothing else. */
export function count(counts: Map<string, number>, name: string): void {
  const known = counts.get(name);
  if (known !== undefined) counts.set(name, known + 1);
  else if (counts.size < 500) counts.set(name.slice(0, 200), 1);
}
