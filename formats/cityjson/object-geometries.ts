import type { CityGeometry, Look } from '../city-object/city-object.ts';
import { roleNumberOf } from '../city-object/surface-roles.ts';
import {
  createSurfaceSet,
  endRing3d,
  endSurface3d,
  pushPosition3d,
  setRingUvs,
  type SurfaceSet,
} from '../city-object/surface-set.ts';
import { transformSurfaces } from '../city-object/transform-surfaces.ts';
import {
  asArray,
  asIndex,
  asNumber,
  asNumbers,
  asObject,
  asObjects,
  asText,
  type JsonObject,
} from '../json/read-values.ts';
import type { ModelHeader } from './model-header.ts';

/** The positions that indices lead to. */
export interface VertexList {
  readonly count: number;
  /** Appends a vertex to a set of surfaces. */
  push(set: SurfaceSet, index: number): void;
}

export interface GeometryContext {
  readonly header: ModelHeader;
  readonly vertices: VertexList;
  /** The theme of materials and textures; by default that with most images. */
  readonly theme: string | undefined;
  readonly onBadIndex: () => void;
  readonly onSurfaceAttribute: (name: string) => void;
  /** The number of a look among those of the object. */
  readonly numberOf: (look: Look) => number;
}

/** Nesting of boundaries above surfaces. */
const depths: Readonly<Record<string, number>> = {
  MultiSurface: 0,
  CompositeSurface: 0,
  Solid: 1,
  MultiSolid: 2,
  CompositeSolid: 2,
};

/** Reads one geometry of a city object (OGC 20-072r5, clause 3). Undefined for points and lines. */
export function readGeometry(
  geometry: JsonObject,
  part: number,
  context: GeometryContext,
): CityGeometry | undefined {
  const type = asText(geometry['type']) ?? '';
  if (type === 'GeometryInstance') return readInstance(geometry, part, context);
  const surfaces = readSurfaces(geometry, context);
  if (surfaces === undefined || surfaces.surfaceEnds.length === 0) return undefined;
  return { part, lod: lodOf(geometry), isSolid: type.endsWith('Solid'), surfaces };
}

function lodOf({ lod }: JsonObject): number {
  const value = Number(asText(lod) ?? asNumber(lod) ?? 0);
  return value >= 0 && value < 10 ? Math.round(value * 10) : 0;
}

function readInstance(
  geometry: JsonObject,
  part: number,
  context: GeometryContext,
): CityGeometry | undefined {
  const { header } = context;
  const template = header.templates[asIndex(geometry['template']) ?? -1];
  const matrix = asNumbers(geometry['transformationMatrix'], 16);
  const anchorIndex = asIndex(asArray(geometry['boundaries'])?.[0]);
  if (template === undefined || matrix === undefined || anchorIndex === undefined) {
    context.onBadIndex();
    return undefined;
  }
  const vertices = verticesOf(header.templateVertices, [1, 1, 1], [0, 0, 0]);
  const surfaces = readSurfaces(template, { ...context, vertices });
  if (surfaces === undefined || anchorIndex >= context.vertices.count) {
    context.onBadIndex();
    return undefined;
  }
  const place = createSurfaceSet();
  context.vertices.push(place, anchorIndex);
  const [x, y, z] = place.positions;
  return {
    part,
    lod: lodOf(template),
    isSolid: (asText(template['type']) ?? '').endsWith('Solid'),
    anchor: [x!, y!, z!],
    surfaces: transformSurfaces(surfaces, matrix),
  };
}

export function verticesOf(
  numbers: Float64Array,
  scale: readonly number[],
  translate: readonly number[],
): VertexList {
  const [sx, sy, sz] = scale;
  const [tx, ty, tz] = translate;
  return {
    count: numbers.length / 3,
    push: (set, index) =>
      pushPosition3d(
        set,
        numbers[index * 3]! * sx! + tx!,
        numbers[index * 3 + 1]! * sy! + ty!,
        numbers[index * 3 + 2]! * sz! + tz!,
      ),
  };
}

function readSurfaces(geometry: JsonObject, context: GeometryContext): SurfaceSet | undefined {
  const depth = depths[asText(geometry['type']) ?? ''];
  if (depth === undefined) return undefined;
  const set = createSurfaceSet();
  const semantics = asObject(geometry['semantics']);
  const kinds = asObjects(semantics?.['surfaces']);
  const roles = kinds.map((kind) => roleNumberOf(asText(kind?.['type']) ?? ''));
  const attribute = kinds.map(attributeOf).find((name) => name !== undefined);
  if (attribute !== undefined) context.onSurfaceAttribute(attribute);
  const texture = chosen(asObject(geometry['texture']), context.theme);
  const material = chosen(asObject(geometry['material']), context.theme);
  const single = asIndex(material?.['value']);
  const walk = (boundary: unknown, level: number, notes: Notes): void => {
    for (const [i, item] of (asArray(boundary) ?? []).entries()) {
      const inner = {
        role: asArray(notes.role)?.[i],
        material: single ?? asArray(notes.material)?.[i],
        texture: asArray(notes.texture)?.[i],
      };
      if (level > 0) walk(item, level - 1, inner);
      else readSurface(set, item, { ...inner, roles, context });
    }
  };
  walk(geometry['boundaries'], depth, {
    role: semantics?.['values'],
    material: material?.['values'],
    texture: texture?.['values'],
  });
  return set;
}

/** The first attribute of a semantic object. */
function attributeOf(kind: JsonObject | undefined): string | undefined {
  for (const name in kind) if (name !== 'type' && name !== 'parent' && name !== 'children') return name;
  return undefined;
}

/** What is known of a boundary, with the same nesting. */
interface Notes {
  readonly role: unknown;
  readonly material: unknown;
  readonly texture: unknown;
}

interface SurfaceNotes extends Notes {
  readonly roles: readonly number[];
  readonly context: GeometryContext;
}

function readSurface(
  set: SurfaceSet,
  rings: unknown,
  { role, material, texture, roles, context }: SurfaceNotes,
): void {
  const { header, vertices } = context;
  const firstRing = set.ringEnds.length;
  for (const ring of asArray(rings) ?? []) {
    for (const given of asArray(ring) ?? []) {
      const index = asIndex(given);
      if (index === undefined || index >= vertices.count) context.onBadIndex();
      else vertices.push(set, index);
    }
    endRing3d(set);
  }
  const rowsOfRings = asArray(texture) ?? [];
  const image = header.textures[asIndex(asArray(rowsOfRings[0])?.[0]) ?? -1];
  const colour = header.materials[asIndex(material) ?? -1];
  const look = image ?? colour;
  const rolesOfSurface = roles[asIndex(role) ?? -1] ?? 0;
  endSurface3d(set, rolesOfSurface, look === undefined ? -1 : context.numberOf(look));
  if (image === undefined) return;
  for (let ring = firstRing; ring < set.ringEnds.length; ring++)
    setRingUvs(set, ring, uvsOf(asArray(rowsOfRings[ring - firstRing]), header.textureVertices));
}

function uvsOf(row: readonly unknown[] | undefined, vertices: Float64Array): number[] {
  return (row ?? []).slice(1).flatMap((given) => {
    const index = asIndex(given) ?? -1;
    return [vertices[index * 2] ?? NaN, vertices[index * 2 + 1] ?? NaN];
  });
}

/** The theme that is asked for, or else the one with most surfaces, and of several the first by name. */
function chosen(themes: JsonObject | undefined, wanted: string | undefined): JsonObject | undefined {
  if (themes === undefined) return undefined;
  if (wanted !== undefined) return asObject(themes[wanted]);
  const names = Object.keys(themes).toSorted();
  if (names.length < 2) return asObject(themes[names[0] ?? '']);
  const counted = names.map((name) => {
    const theme = asObject(themes[name]);
    return { theme, count: countOf(theme?.['values'] ?? theme?.['value']) };
  });
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).theme;
}

/** Numbers within lists, as deep as they are in solids of solids. */
function countOf(values: unknown, levels = 6): number {
  if (typeof values === 'number') return 1;
  if (levels === 0) return 0;
  return (asArray(values) ?? []).reduce<number>((sum, one) => sum + countOf(one, levels - 1), 0);
}
