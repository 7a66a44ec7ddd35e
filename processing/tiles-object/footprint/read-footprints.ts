import type { AttributeValue, CityObject, Look } from '@platen/formats/city-object/city-object';
import {
  createSurfaceSet,
  endRing3d,
  endSurface3d,
  pushPosition3d,
  type SurfaceSet,
} from '@platen/formats/city-object/surface-set';
import type { Feature } from '@platen/formats/feature/feature';
import { readPart } from '../../features/read-part.ts';
import type { InputPart } from '../../features/open-inputs.ts';
import type { JobContext } from '../../job-type.ts';
import { buildingHeights, type ExtrudeOptions } from './building-heights.ts';
import { extrudeFootprints, footprintObject, type Footprint } from './extrude.ts';
import type { Point2 } from './roof-outline.ts';

export interface ProbedFootprints {
  readonly position: readonly [x: number, y: number] | undefined;
  readonly hasHeights: boolean;
  /** Some features say that they are buildings: all others are none. */
  readonly namesBuildings: boolean;
}

class EnoughRead extends Error {}

const probedPolygons = 5000;

/** Whether a feature is a building by the tags of OpenStreetMap. */
function isBuilding({ building, 'building:part': part }: Readonly<Record<string, unknown>>): boolean {
  return [building, part].some(
    (value) => value !== undefined && value !== null && value !== '' && value !== 'no',
  );
}

/** Reads the first polygons: where the file is, and what it has. @throws JobFailure */
export async function probeFootprints(part: InputPart, warn: JobContext['warn']): Promise<ProbedFootprints> {
  let found: ProbedFootprints = { position: undefined, hasHeights: false, namesBuildings: false };
  let count = 0;
  try {
    await readPart(
      part,
      ({ geometry, problem, properties }) => {
        const [polygon] = problem === undefined ? polygonsOf(geometry) : [];
        if (polygon === undefined) return;
        if (count++ >= probedPolygons) throw new EnoughRead();
        const [x, y, z] = polygon[0]![0]!;
        const namesBuildings = found.namesBuildings || isBuilding(properties);
        if (found.position === undefined)
          found = { position: [x, y], hasHeights: Number.isFinite(z), namesBuildings };
        else found = { ...found, namesBuildings };
      },
      { maxFeatureBytes, keepsHeights: true, warn },
    );
  } catch (error) {
    if (!(error instanceof EnoughRead)) throw error;
  }
  return found;
}

export interface FootprintVisitor {
  /** Features that are no buildings by their tags are left out. */
  readonly onlyBuildings: boolean;
  readonly extrude: ExtrudeOptions;
  readonly warn: JobContext['warn'];
  /** An object in longitude and latitude. */
  readonly onObject: (object: CityObject) => void;
  /** Called with the share of the part that has been read, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

const maxFeatureBytes = 64 << 20;

/**
 * Reads the polygons of a vector file as buildings: those with heights of their own as they are, all others as footprints
 * that are extruded. @throws JobFailure
 */
export async function readFootprints(
  part: InputPart,
  { onlyBuildings, extrude, warn, onObject, onProgress }: FootprintVisitor,
): Promise<void> {
  await readPart(
    part,
    (feature) => {
      if (onlyBuildings && !isBuilding(feature.properties)) return;
      const object = objectOf(feature, extrude);
      if (object !== undefined) onObject(object);
    },
    { maxFeatureBytes, keepsHeights: true, onProgress, warn },
  );
}

/** Undefined for features without polygons. */
function objectOf(feature: Feature, options: ExtrudeOptions): CityObject | undefined {
  const { geometry, properties } = feature;
  if (feature.problem !== undefined) return undefined;
  const polygons = polygonsOf(geometry);
  if (polygons.length === 0) return undefined;
  const looks: Look[] = [];
  const lookOf = (value: unknown): number => {
    const colour = colourOf(value);
    return colour === undefined ? -1 : looks.push({ colour }) - 1;
  };
  const id = idOf(properties['id'] ?? feature.id);
  const object = { id, attributes: attributesOf(properties) };
  const levels = heightRange(polygons);
  if (levels !== undefined && levels.highest - levels.lowest > minRelief)
    return footprintObject(object, surfacesOf(polygons), looks);
  const surfaces = extrudeFootprints(polygons.map(flat), buildingHeights(properties, options), {
    looks: { walls: lookOf(properties['building:colour']), roof: lookOf(properties['roof:colour']) },
    groundHeight: levels?.lowest ?? 0,
  });
  return footprintObject(object, surfaces, looks);
}

const idOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 1000) : '';

/** Metres: with less, a polygon is a footprint. */
const minRelief = 0.1;

/** x, y, z of the positions of each ring; z is NaN without a height. */
type Polygon = readonly (readonly (readonly [x: number, y: number, z: number])[])[];

function polygonsOf({ coordinates, heights, ringEnds, polygonEnds, parts }: Feature['geometry']): Polygon[] {
  const polygons: Polygon[] = [];
  for (const { type, polygonStart, polygonEnd } of parts) {
    if (type !== 'Polygon' && type !== 'MultiPolygon') continue;
    for (let polygon = polygonStart; polygon < polygonEnd; polygon++) {
      const rings: [number, number, number][][] = [];
      for (let ring = polygonEnds[polygon - 1] ?? 0; ring < polygonEnds[polygon]!; ring++) {
        const points: [number, number, number][] = [];
        for (let i = ringEnds[ring - 1] ?? 0; i < ringEnds[ring]!; i++)
          points.push([coordinates[i * 2]!, coordinates[i * 2 + 1]!, heights?.z[i] ?? NaN]);
        const [start, end] = [points[0], points.at(-1)];
        if (
          points.length > 1 &&
          start![0] === end![0] &&
          start![1] === end![1] &&
          !(start![2] !== end![2] && Number.isFinite(start![2]))
        )
          points.pop();
        if (points.length >= 3) rings.push(points);
        else if (rings.length === 0) break;
      }
      if (rings.length > 0) polygons.push(rings);
    }
  }
  return polygons;
}

const flat = (polygon: Polygon): Footprint => polygon.map((ring) => ring.map(([x, y]): Point2 => [x, y]));

/** Undefined unless all positions have a height. */
function heightRange(
  polygons: readonly Polygon[],
): { readonly lowest: number; readonly highest: number } | undefined {
  let [lowest, highest] = [Infinity, -Infinity];
  for (const polygon of polygons)
    for (const ring of polygon)
      for (const [, , z] of ring) {
        if (!Number.isFinite(z)) return undefined;
        lowest = Math.min(lowest, z);
        highest = Math.max(highest, z);
      }
  return { lowest, highest };
}

function surfacesOf(polygons: readonly Polygon[]): SurfaceSet {
  const set = createSurfaceSet();
  for (const polygon of polygons) {
    for (const ring of polygon) {
      for (const [x, y, z] of ring) pushPosition3d(set, x, y, z);
      endRing3d(set);
    }
    endSurface3d(set, 0);
  }
  return set;
}

function attributesOf(properties: Readonly<Record<string, unknown>>): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'string' || typeof value === 'boolean') attributes.set(name, value);
    else if (typeof value === 'number' && Number.isFinite(value)) attributes.set(name, value);
    else if (typeof value === 'object' && value !== null)
      attributes.set(name, JSON.stringify(value).slice(0, 10_000));
    else if (typeof value === 'bigint') attributes.set(name, value.toString());
  }
  return attributes;
}

function colourOf(value: unknown): [number, number, number, number] | undefined {
  const [, hex] = /^#([0-9a-f]{6})$/i.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  if (hex === undefined) return undefined;
  const number = Number.parseInt(hex, 16);
  return [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255, 1];
}
