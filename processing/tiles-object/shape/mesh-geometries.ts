import type { CityGeometry, Look } from '@platen/formats/city-object/city-object';
import { surfaceRoles } from '@platen/formats/city-object/surface-roles';
import { createMeshBuilder, type BuiltFace } from './mesh-builder.ts';
import type { ShapeMesh } from './shape.ts';
import { triangulate } from './triangulate.ts';

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
  const builder = createMeshBuilder();
  let flat = 0;
  for (const [i, { surfaces, isSolid }] of geometries.entries()) {
    const faces: BuiltFace[] = [];
    for (let surface = 0; surface < surfaces.surfaceEnds.length; surface++) {
      const given = surfaces.roles[surface]!;
      if (given === closure && !options.hasClosures) continue;
      if (given === interior && !options.hasInteriors) continue;
      const made = triangulate(surfaces, surface, positions[i]!);
      if (made === undefined) {
        flat++;
        continue;
      }
      const look = options.lookOf(looks[surfaces.looks[surface]!]);
      const isNamed = given !== noRole || !options.isConstruction;
      faces.push({ ...made, role: isNamed ? given : roleByDirection(made.normal), look });
    }
    const isInsideOut = isSolid && volumeOf(faces) < 0;
    for (const face of faces) builder.add(isInsideOut ? turned(face, options.isConstruction) : face);
  }
  return { mesh: builder.build(), flat };
}

function roleByDirection([, , up]: readonly [number, number, number]): number {
  if (up > 0.3) return roof;
  return up < -0.7 ? ground : wall;
}

/** Positive where faces look outwards, by the divergence theorem. */
function volumeOf(faces: readonly BuiltFace[]): number {
  let volume = 0;
  for (const { positions: p, triangles } of faces) {
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = [triangles[i]! * 3, triangles[i + 1]! * 3, triangles[i + 2]! * 3];
      volume +=
        p[a]! * (p[b + 1]! * p[c + 2]! - p[b + 2]! * p[c + 1]!) +
        p[a + 1]! * (p[b + 2]! * p[c]! - p[b]! * p[c + 2]!) +
        p[a + 2]! * (p[b]! * p[c + 1]! - p[b + 1]! * p[c]!);
    }
  }
  return volume;
}

function turned(face: BuiltFace, isConstruction: boolean): BuiltFace {
  const [x, y, z] = face.normal;
  const normal = [-x, -y, -z] as const;
  const triangles = Array.from(face.triangles, (_, i) => face.triangles[i - (i % 3) + 2 - (i % 3)]!);
  const isGuessed = isConstruction && (face.role === roof || face.role === ground);
  return { ...face, normal, triangles, role: isGuessed ? roleByDirection(normal) : face.role };
}
