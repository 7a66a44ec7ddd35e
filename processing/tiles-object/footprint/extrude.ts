import type { CityObject, Look } from '@platen/formats/city-object/city-object';
import { roleNumberOf } from '@platen/formats/city-object/surface-roles';
import {
  createSurfaceSet,
  endRing3d,
  endSurface3d,
  pushPosition3d,
  type SurfaceSet,
} from '@platen/formats/city-object/surface-set';
import type { BuildingHeights } from './building-heights.ts';
import { frameOfOutline, turnOf, type Point2, type Point3 } from './roof-outline.ts';
import { makeRoof } from './roofs.ts';

/** Rings in longitude and latitude without their closing position; the first is the outer one. */
export type Footprint = readonly (readonly Point2[])[];

export interface FootprintLooks {
  readonly walls: number;
  readonly roof: number;
}

const [roof, wall, ground] = ['RoofSurface', 'WallSurface', 'GroundSurface'].map(roleNumberOf) as [
  number,
  number,
  number,
];
const metresPerDegree = 111_320;

/** Turns footprints into a closed solid each, in longitude, latitude and metres above `groundHeight`. */
export function extrudeFootprints(
  footprints: readonly Footprint[],
  heights: BuildingHeights,
  { looks, groundHeight }: { readonly looks: FootprintLooks; readonly groundHeight: number },
): SurfaceSet {
  const set = createSurfaceSet();
  for (const footprint of footprints) {
    const [lon, lat] = footprint[0]?.[0] ?? [0, 0];
    const perLon = metresPerDegree * Math.cos((lat * Math.PI) / 180);
    const rings = footprint.map((ring, i) => {
      const plane = ring.map(([x, y]): Point2 => [(x - lon) * perLon, (y - lat) * metresPerDegree]);
      // the outer ring is counter-clockwise seen from above, courtyards are not
      return turnOf(plane) > 0 === (i === 0) ? plane : plane.toReversed();
    });
    const add = (points: readonly (readonly Point3[])[], role: number, look: number): void => {
      for (const ring of points) {
        for (const [x, y, z] of ring)
          pushPosition3d(set, lon + x / perLon, lat + y / metresPerDegree, groundHeight + z);
        endRing3d(set);
      }
      endSurface3d(set, role, look);
    };
    addBuilding(rings, heights, { add, looks });
  }
  return set;
}

interface Adding {
  readonly add: (rings: readonly (readonly Point3[])[], role: number, look: number) => void;
  readonly looks: FootprintLooks;
}

function addBuilding(
  rings: readonly (readonly Point2[])[],
  { bottom, top, roof: shape, roofHeight }: BuildingHeights,
  { add, looks }: Adding,
): void {
  const [outer] = rings;
  if (outer === undefined || outer.length < 3) return;
  const usual = (): number => {
    const { min, max } = frameOfOutline(outer);
    return Math.min((max[1] - min[1]) * 0.4, (top - bottom) / 2);
  };
  const hasRoof = shape !== 'flat' && rings.length === 1;
  const height = hasRoof ? Math.min(roofHeight ?? usual(), top - bottom) : 0;
  const made = hasRoof ? makeRoof(shape, outer, height) : undefined;
  const eaves = made === undefined ? top : top - height;
  const at = (ring: readonly Point2[], z: number): Point3[] => ring.map(([x, y]) => [x, y, z]);
  const lifted = (points: readonly Point3[]): Point3[] => points.map(([x, y, z]) => [x, y, eaves + z]);
  const borders = made === undefined ? rings.map((ring) => at(ring, top)) : [lifted(made.outline)];
  for (const border of borders) {
    for (const [i, from] of border.entries()) {
      const to = border[(i + 1) % border.length]!;
      const [low, lowNext]: Point3[] = [
        [from[0], from[1], bottom],
        [to[0], to[1], bottom],
      ];
      add([[low!, lowNext!, to, from]], wall, looks.walls);
    }
  }
  add(
    borders.map((border) => border.map(([x, y]): Point3 => [x, y, bottom]).toReversed()),
    ground,
    -1,
  );
  if (made === undefined) add(borders, roof, looks.roof);
  else for (const face of made.faces) add([lifted(face)], roof, looks.roof);
}

/** The object of a feature. */
export function footprintObject(
  { id, attributes }: { readonly id: string; readonly attributes: CityObject['parts'][number]['attributes'] },
  surfaces: SurfaceSet,
  looks: Look[],
): CityObject {
  return {
    parts: [{ id, class: 'Building', parent: -1, attributes }],
    geometries: [{ part: 0, lod: 10, isSolid: true, surfaces }],
    looks,
  };
}
