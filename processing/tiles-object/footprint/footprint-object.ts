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
import { buildingHeights, type ExtrudeOptions } from './building-heights.ts';
import { extrudeFootprints, footprintObject, type Footprint } from './extrude.ts';
import type { FlatBuilding } from './flat-building.ts';
import type { Point2 } from './roof-outline.ts';

export const isPolygonal = ({ type }: GeometryPart): boolean => type === 'Polygon' || type === 'MultiPolygon';

/** Undefined for features that have another roof, heights of their own, or more than polygons. */
export function flatBuildingOf(feature: Feature, options: ExtrudeOptions): FlatBuilding | undefined {
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
    object: () => objectOf(feature, options),
  };
}

/** Undefined for features without polygons. */
export function objectOf(feature: Feature, options: ExtrudeOptions): CityObject | undefined {
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

/** A building whose parts are drawn instead of itself. */
export function wholeOfParts(
  { id, properties }: Feature,
  parts: readonly Feature[],
  options: ExtrudeOptions,
): CityObject {
  const whole: CityObject = {
    parts: [
      {
        id: idOf(properties['id'] ?? id),
        class: 'Building',
        parent: -1,
        attributes: attributesOf(properties),
      },
    ],
    geometries: [],
    looks: [],
  };
  for (const feature of parts) {
    const object = objectOf(feature, options);
    if (object === undefined) continue;
    const { surfaces } = object.geometries[0]!;
    for (const [i, look] of surfaces.looks.entries())
      if (look >= 0) surfaces.looks[i] = look + whole.looks.length;
    whole.looks.push(...object.looks);
    whole.geometries.push({ ...object.geometries[0]!, part: whole.parts.length });
    whole.parts.push({ ...object.parts[0]!, class: 'BuildingPart', parent: 0 });
  }
  return whole;
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

export function polygonsOf({
  coordinates,
  heights,
  ringEnds,
  polygonEnds,
  parts,
}: Feature['geometry']): Polygon[] {
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
