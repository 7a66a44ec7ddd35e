import type { AttributeValue, CityObject, Look } from '@platen/formats/city-object/city-object';
import {
  createSurfaceSet,
  endRing3d,
  endSurface3d,
  pushPosition3d,
  type SurfaceSet,
} from '@platen/formats/city-object/surface-set';
import type { Feature } from '@platen/formats/feature/feature';
import type { GeometryPart } from '@platen/formats/feature/geometry-buffer';
import { readPart } from '../../features/read-part.ts';
import type { InputPart } from '../../features/open-inputs.ts';
import type { JobContext } from '../../job-type.ts';
import { buildingHeights, type ExtrudeOptions } from './building-heights.ts';
import { extrudeFootprints, footprintObject, type Footprint } from './extrude.ts';
import type { FlatBuilding } from './flat-building.ts';
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
  /** Instead of `onObject`, for the simplest of all. */
  readonly onFlatBuilding: (building: FlatBuilding) => void;
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
  { onlyBuildings, extrude, warn, onObject, onFlatBuilding, onProgress }: FootprintVisitor,
): Promise<void> {
  await readPart(
    part,
    (feature) => {
      if (onlyBuildings && !isBuilding(feature.properties)) return;
      if (feature.problem !== undefined || !feature.geometry.parts.some(isPolygonal)) return;
      const building = flatBuildingOf(feature, extrude);
      if (building !== undefined) return onFlatBuilding(building);
      const object = objectOf(feature, extrude);
      if (object !== undefined) onObject(object);
    },
    { maxFeatureBytes, keepsHeights: true, onProgress, warn },
  );
}

const isPolygonal = ({ type }: GeometryPart): boolean => type === 'Polygon' || type === 'MultiPolygon';

/** Undefined for features that have another roof, heights of their own, or more than polygons. */
function flatBuildingOf(feature: Feature, options: ExtrudeOptions): FlatBuilding | undefined {
  const { geometry, properties } = feature;
  if (!geometry.parts.every(isPolygonal)) return undefined;
  const heights = buildingHeights(properties, options);
  if (heights.roof !== 'flat') return undefined;
  const levels = levelsOf(geometry);
  if (hasRelief(levels)) return undefined;
  const ground = levels?.lowest ?? 0;
  return {
    id: idOf(properties['id'] ?? feature.id),
    attributes: attributesOf(properties),
    geometry,
    bottom: ground + heights.bottom,
    top: ground + heights.top,
    walls: lookOf(properties['building:colour']),
    roof: lookOf(properties['roof:colour']),
    object: () => objectOf(feature, options)!,
  };
}

/** Undefined for features without polygons. */
function objectOf(feature: Feature, options: ExtrudeOptions): CityObject | undefined {
  const { geometry, properties } = feature;
  const polygons = polygonsOf(geometry);
  if (polygons.length === 0) return undefined;
  const object = { id: idOf(properties['id'] ?? feature.id), attributes: attributesOf(properties) };
  const levels = levelsOf(geometry);
  if (hasRelief(levels)) return footprintObject(object, surfacesOf(polygons), []);
  const looks: Look[] = [];
  const numberOf = (look: Look | undefined): number => (look === undefined ? -1 : looks.push(look) - 1);
  const surfaces = extrudeFootprints(polygons.map(flat), buildingHeights(properties, options), {
    looks: {
      walls: numberOf(lookOf(properties['building:colour'])),
      roof: numberOf(lookOf(properties['roof:colour'])),
    },
    groundHeight: levels?.lowest ?? 0,
  });
  return footprintObject(object, surfaces, looks);
}

function lookOf(value: unknown): Look | undefined {
  const colour = colourOf(value);
  return colour && { colour };
}

const idOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 1000) : '';

/** Metres: with less, a polygon is a footprint. */
const minRelief = 0.1;

/** x, y, z of the positions of each ring; z is NaN without a height. */
type Polygon = readonly (readonly (readonly [x: number, y: number, z: number])[])[];

function polygonsOf({ coordinates, heights, ringEnds, polygonEnds, parts }: Feature['geometry']): Polygon[] {
  const polygons: Polygon[] = [];
  for (const part of parts) {
    if (!isPolygonal(part)) continue;
    const { polygonStart, polygonEnd } = part;
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

interface Levels {
  readonly lowest: number;
  readonly highest: number;
}

/** Undefined unless all positions of polygons have a height. */
function levelsOf({ heights, parts, ringEnds, polygonEnds }: Feature['geometry']): Levels | undefined {
  if (heights === undefined) return undefined;
  let [lowest, highest] = [Infinity, -Infinity];
  for (const part of parts) {
    if (!isPolygonal(part)) continue;
    const start = ringEnds[(polygonEnds[part.polygonStart - 1] ?? 0) - 1] ?? 0;
    const end = ringEnds[(polygonEnds[part.polygonEnd - 1] ?? 0) - 1] ?? 0;
    for (let i = start; i < end; i++) {
      const z = heights.z[i]!;
      if (!Number.isFinite(z)) return undefined;
      lowest = Math.min(lowest, z);
      highest = Math.max(highest, z);
    }
  }
  return { lowest, highest };
}

const hasRelief = (levels: Levels | undefined): boolean =>
  levels !== undefined && levels.highest - levels.lowest > minRelief;

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
