import type { CityGeometry, Look } from '../city-object/city-object.ts';
import {
  copySurfaces,
  createSurfaceSet,
  setRingUvs,
  startOf,
  type SurfaceSet,
} from '../city-object/surface-set.ts';
import { transformSurfaces } from '../city-object/transform-surfaces.ts';
import { chooseTheme, isTexture, type Appearances } from './appearance.ts';
import { projectSurface, turnedUvs } from './image-place.ts';

/** A geometry that is read, and what its surfaces and rings are called. */
export interface OpenGeometry {
  readonly part: number;
  readonly lod: number;
  readonly isSolid: boolean;
  /** It is made of boundary surfaces only. */
  readonly isThematic: boolean;
  readonly surfaces: SurfaceSet;
  /** 4 × 4 row by row, of implicit geometries. */
  matrix: readonly number[] | undefined;
  anchor: [x: number, y: number, z: number] | undefined;
}

/** Where an id leads to. */
export interface NamedSurfaces {
  readonly geometry: OpenGeometry;
  readonly start: number;
  readonly end: number;
}

interface NamedRing {
  readonly geometry: OpenGeometry;
  readonly ring: number;
  /** Its positions have been turned around. */
  readonly isFlipped: boolean;
}

interface Reference {
  readonly geometry: OpenGeometry;
  readonly id: string;
  readonly isFlipped: boolean;
}

/** The geometries of an object while it is read. */
export interface ObjectGeometries {
  readonly geometries: OpenGeometry[];
  readonly named: Map<string, NamedSurfaces>;
  readonly rings: Map<string, NamedRing>;
  readonly references: Reference[];
  /** Those that geometries themselves name. */
  readonly looks: Look[];
  /** Northing or latitude comes first in the file. */
  readonly isSwapped: () => boolean;
}

export const createObjectGeometries = (isSwapped: () => boolean): ObjectGeometries => ({
  geometries: [],
  named: new Map(),
  rings: new Map(),
  references: [],
  looks: [],
  isSwapped,
});

export const openGeometry = (
  fixed: Pick<OpenGeometry, 'part' | 'lod' | 'isSolid' | 'isThematic'>,
): OpenGeometry => ({
  ...fixed,
  surfaces: createSurfaceSet(),
  matrix: undefined,
  anchor: undefined,
});

/** Finds surfaces of other objects. */
export type FindSurfaces = (id: string) => NamedSurfaces | undefined;

/**
 * Copies what references lead to. Surfaces of the same level of detail in the same object are drawn where they are: a
 * solid made of references to boundary surfaces stays empty.
 * @returns the ids that lead nowhere
 */
export function resolveReferences(object: ObjectGeometries, findElsewhere: FindSurfaces): string[] {
  const missing: string[] = [];
  for (const { geometry, id, isFlipped } of object.references) {
    const own = object.named.get(id);
    const found = own ?? findElsewhere(id);
    if (found === undefined) missing.push(id);
    else if (own === undefined || own.geometry.lod !== geometry.lod || geometry.matrix !== undefined) {
      if (found.geometry === geometry) continue;
      const { start, end } = found;
      const first = geometry.surfaces.looks.length;
      copySurfaces(geometry.surfaces, { from: found.geometry.surfaces, start, end, isFlipped });
      // numbers of looks are those of the other object
      if (own === undefined) geometry.surfaces.looks.fill(-1, first);
    }
  }
  return missing;
}

/** Gives surfaces the looks of a theme. @returns the looks, in the order of their numbers */
export function applyAppearances(
  { named, rings, looks, isSwapped }: ObjectGeometries,
  sources: readonly Appearances[],
  wantedTheme: string | undefined,
): Look[] {
  const numbers = new Map<Look, number>();
  const numberOf = (look: Look): number => {
    let number = numbers.get(look);
    if (number === undefined) {
      numbers.set(look, (number = looks.length));
      looks.push(look);
    }
    return number;
  };
  const theme = chooseTheme(sources, named, wantedTheme);
  if (theme === undefined) return looks;
  for (const [id, { geometry, start, end }] of named) {
    for (const source of sources) {
      for (const target of source.get(theme)?.get(id) ?? []) {
        const { surfaces } = geometry;
        for (let surface = start; surface < end; surface++) {
          // an image counts more than a colour
          if (!isTexture(target) && surfaces.looks[surface] !== -1) continue;
          const { look, rings: uvs, projection } = target;
          if (uvs !== undefined && !hasRing(surfaces, surface, uvs, rings, geometry)) continue;
          surfaces.looks[surface] = numberOf(look);
          if (projection !== undefined)
            projectSurface(surfaces, surface, projection, geometry.matrix === undefined && isSwapped());
        }
      }
    }
  }
  return looks;
}

/** Puts image coordinates to the rings of a surface. @returns whether its outer ring has some */
function hasRing(
  surfaces: SurfaceSet,
  surface: number,
  uvs: ReadonlyMap<string, Float32Array>,
  rings: ReadonlyMap<string, NamedRing>,
  geometry: OpenGeometry,
): boolean {
  const [first, last] = [startOf(surfaces.surfaceEnds, surface), surfaces.surfaceEnds[surface]!];
  let hasOuter = false;
  for (const [id, coordinates] of uvs) {
    const found = rings.get(id);
    if (found === undefined || found.geometry !== geometry || found.ring < first || found.ring >= last)
      continue;
    setRingUvs(surfaces, found.ring, found.isFlipped ? turnedUvs(coordinates) : coordinates);
    hasOuter ||= found.ring === first;
  }
  return hasOuter;
}

/** Geometries with surfaces; implicit ones are placed. */
export function finishedGeometries({ geometries }: ObjectGeometries): CityGeometry[] {
  return geometries.filter(({ surfaces }) => surfaces.surfaceEnds.length > 0).map(finished);
}

function finished({ part, lod, isSolid, surfaces, matrix, anchor = [0, 0, 0] }: OpenGeometry): CityGeometry {
  if (matrix === undefined) return { part, lod, isSolid, surfaces };
  return { part, lod, isSolid, surfaces: transformSurfaces(surfaces, matrix), anchor };
}

/** 16 numbers, row by row. Undefined if the text is something else. */
export function matrixOf(text: string): readonly number[] | undefined {
  const numbers = text.trim().split(/\s+/).map(Number);
  return numbers.length === 16 && numbers.every((number) => Number.isFinite(number)) ? numbers : undefined;
}
