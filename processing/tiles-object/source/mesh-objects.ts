import type { CityObject, Look } from '@platen/formats/city-object/city-object';
import {
  createSurfaceSet,
  endRing3d,
  endSurface3d,
  pushPosition3d,
  type SurfaceSet,
} from '@platen/formats/city-object/surface-set';
import type { MeshMaterial, MeshModel, MeshObject, MeshPart } from '@platen/formats/mesh-model/mesh-model';
import { geodeticOf } from '@platen/geo/geodesy/geocentric';
import { localFrameAt, toLocal } from '@platen/geo/geodesy/local-frame';
import type { Placement } from '../../models/open-placement.ts';

export interface MeshObjectOptions {
  readonly placement: Placement;
  /** The lowest point of the whole model comes to this height; undefined: it stays where it is. */
  readonly ground: number | undefined;
  /** Precedes names that several models may use. */
  readonly prefix: string;
}

interface PlacedMesh {
  readonly object: MeshObject;
  readonly id: string;
  /** Positions of each part in EPSG:4978. */
  readonly positions: readonly Float64Array[];
  readonly anchor: readonly [lon: number, lat: number, height: number];
}

/** Turns the objects of a model into those of a city: triangles in metres from an anchor on the globe each. */
export function* meshObjects(
  { objects, materials }: MeshModel,
  { placement, ground, prefix }: MeshObjectOptions,
): Generator<CityObject, void> {
  const repeated = repeatedNames(objects);
  const placed = objects.map((object): PlacedMesh => {
    const positions = object.parts.map((part) => part.positions);
    for (const list of positions) placement.toGeocentric(list);
    const id = object.name === '' || repeated.has(object.name) ? '' : `${prefix}${object.name}`;
    return { object, id, positions, anchor: anchorOf(positions) };
  });
  const lowest = placed.reduce((low, { anchor }) => Math.min(low, anchor[2]), Infinity);
  const shift = ground === undefined || !Number.isFinite(lowest) ? 0 : ground - lowest;
  for (const one of placed) yield cityObjectOf(one, materials, shift);
}

function repeatedNames(objects: readonly MeshObject[]): Set<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { name } of objects) {
    if (seen.has(name)) repeated.add(name);
    seen.add(name);
  }
  return repeated;
}

/** The middle of what an object covers, at its lowest point. NaN if a position is none on earth. */
function anchorOf(lists: readonly Float64Array[]): readonly [number, number, number] {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  for (const list of lists) {
    for (let i = 0; i < list.length; i++) {
      const axis = i % 3;
      // comparisons with NaN are false: it has to show
      if (!(list[i]! >= min[axis]!)) min[axis] = list[i]!;
      if (!(list[i]! <= max[axis]!)) max[axis] = list[i]!;
    }
  }
  const [x, y, z] = min.map((low, axis) => (low + max[axis]!) / 2) as [number, number, number];
  const [lon, lat] = geodeticOf([x, y, z]);
  const frame = localFrameAt(lon, lat, 0);
  let lowest = Infinity;
  for (const list of lists)
    for (let i = 0; i < list.length; i += 3)
      lowest = Math.min(lowest, toLocal(frame, [list[i]!, list[i + 1]!, list[i + 2]!])[2]);
  return [lon, lat, lowest];
}

function cityObjectOf(
  { object, id, positions, anchor: [lon, lat, lowest] }: PlacedMesh,
  materials: readonly MeshMaterial[],
  shift: number,
): CityObject {
  const looks: Look[] = materials.map(({ colour, image, repeats }) => ({
    ...(colour !== undefined && { colour }),
    ...(image !== undefined && { image }),
    repeats,
  }));
  const frame = localFrameAt(lon, lat, lowest);
  const surfaces = createSurfaceSet();
  const lookOf = createColourLooks(looks);
  for (const [i, part] of object.parts.entries()) {
    const list = positions[i]!;
    const local = new Float64Array(list.length);
    for (let at = 0; at < list.length; at += 3)
      local.set(toLocal(frame, [list[at]!, list[at + 1]!, list[at + 2]!]), at);
    addTriangles(surfaces, local, part, { material: materials[part.material], lookOf });
  }
  return {
    parts: [{ id, class: object.class ?? 'Model', parent: -1, attributes: object.attributes }],
    geometries: [{ part: 0, lod: 30, isSolid: false, anchor: [lon, lat, lowest + shift], surfaces }],
    looks,
  };
}

interface TriangleLooks {
  readonly material: MeshMaterial | undefined;
  readonly lookOf: ReturnType<typeof createColourLooks>;
}

function addTriangles(
  set: SurfaceSet,
  local: Float64Array,
  { indices, uvs, colours, material: number }: MeshPart,
  { material, lookOf }: TriangleLooks,
): void {
  const isTextured = material?.image !== undefined && uvs !== undefined;
  const own: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    for (let corner = i; corner < i + 3; corner++) {
      const vertex = indices[corner]!;
      pushPosition3d(set, local[vertex * 3]!, local[vertex * 3 + 1]!, local[vertex * 3 + 2]!);
      if (isTextured) own.push(uvs[vertex * 2]!, uvs[vertex * 2 + 1]!);
    }
    endRing3d(set);
    const look =
      isTextured || colours === undefined ? number : lookOf(colours, indices.subarray(i, i + 3), material);
    endSurface3d(set, 0, look);
  }
  if (own.length === 0 && set.uvs === undefined) return;
  const all = new Float32Array(set.positionCount * 2).fill(NaN);
  if (set.uvs !== undefined) all.set(set.uvs);
  all.set(own, all.length - indices.length * 2);
  set.uvs = all;
}

/** Colours of faces have so many levels a band, so that few looks do for all of them. */
const levels = 31;

/** Looks of the mean colours of triangles. */
function createColourLooks(looks: Look[]) {
  const numbers = new Map<number, number>();
  return (colours: Uint8Array, corners: Uint32Array, material: MeshMaterial | undefined): number => {
    const rounded = [0, 1, 2, 3].map((band) => {
      const sum = corners.reduce((total, vertex) => total + colours[vertex * 4 + band]!, 0);
      return Math.round((sum / 3 / 255) * (material?.colour?.[band] ?? 1) * levels);
    });
    const key = rounded.reduce((all, level) => all * (levels + 1) + level, 0);
    let number = numbers.get(key);
    if (number === undefined) {
      const colour = rounded.map((level) => level / levels) as [number, number, number, number];
      numbers.set(key, (number = looks.push({ colour }) - 1));
    }
    return number;
  };
}
