import type { CityGeometry, Look } from '@platen/formats/city-object/city-object';
import { surfaceRoles } from '@platen/formats/city-object/surface-roles';
import { MeshBuilder, type Normal } from './mesh-builder.ts';
import type { ShapeMesh } from './shape.ts';
import { triangulate, type TriangulatedSurface } from './triangulate.ts';

export interface MeshOptions {
  readonly hasClosures: boolean;
  readonly hasInteriors: boolean;
  /** The number of a look of the object among those of the shape; -1 if it cannot be shown. */
  readonly lookOf: (look: Look | undefined) => number;
  /** Faces without a role get one by their direction. */
  readonly isConstruction: boolean;
}

const role = (name: (typeof surfaceRoles)[number]): number => surfaceRoles.indexOf(name);
const [noRole, roof, wall, ground] = [role('none'), role('roof'), role('wall'), role('ground')];
const [closure, interior] = [role('closure'), role('interior')];

const builder = new MeshBuilder();

/**
 * Triangles of geometries. Solids that are inside out are turned.
 * @param looks of the object
 * @returns the mesh, and how many surfaces have no area
 */
export function meshGeometries(
  geometries: readonly CityGeometry[],
  positions: readonly Float64Array[],
  looks: readonly Look[],
  options: MeshOptions,
): { readonly mesh: ShapeMesh; readonly flat: number } {
  const { hasClosures, hasInteriors, isConstruction, lookOf } = options;
  builder.clear();
  let flat = 0;
  for (const [i, { surfaces, isSolid }] of geometries.entries()) {
    const firstFace = builder.faceCount;
    let volume = 0;
    for (let surface = 0; surface < surfaces.surfaceEnds.length; surface++) {
      const given = surfaces.roles[surface]!;
      if (given === closure && !hasClosures) continue;
      if (given === interior && !hasInteriors) continue;
      const made = triangulate(surfaces, surface, positions[i]!);
      if (made === undefined) {
        flat++;
        continue;
      }
      if (isSolid) volume += volumeOf(made);
      const look = lookOf(looks[surfaces.looks[surface]!]);
      const isNamed = given !== noRole || !isConstruction;
      builder.add(made, isNamed ? given : roleByDirection(made.normal), look);
    }
    if (volume < 0)
      builder.turn(firstFace, (known, normal) => {
        const isGuessed = isConstruction && (known === roof || known === ground);
        return isGuessed ? roleByDirection(normal) : known;
      });
  }
  return { mesh: builder.build(), flat };
}

function roleByDirection([, , up]: Normal): number {
  if (up > 0.3) return roof;
  return up < -0.7 ? ground : wall;
}

/** What a face adds to the volume, by the divergence theorem: positive in all where faces look outwards. */
function volumeOf({ positions: p, triangles }: TriangulatedSurface): number {
  let volume = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i]! * 3, triangles[i + 1]! * 3, triangles[i + 2]! * 3];
    volume +=
      p[a]! * (p[b + 1]! * p[c + 2]! - p[b + 2]! * p[c + 1]!) +
      p[a + 1]! * (p[b + 2]! * p[c]! - p[b]! * p[c + 2]!) +
      p[a + 2]! * (p[b]! * p[c + 1]! - p[b + 1]! * p[c]!);
  }
  return volume;
}
