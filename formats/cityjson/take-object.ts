import { isGroup } from '../city-object/object-classes.ts';
import { count } from '../city-model/city-contents.ts';
import { asArray, asNumber, asObject, asObjects, asText, type JsonObject } from '../json/read-values.ts';
import type { CityJsonScan } from './city-json.ts';

export type VisitAttributes = (attributes: JsonObject) => void;

/** `MultiSolid` is the deepest: solids of shells of surfaces of rings of indices. */
const deepest = 6;
const maxThemes = 100;

/** Takes stock of one city object. */
export function takeObject(scan: CityJsonScan, value: unknown, visit: VisitAttributes): void {
  const object = asObject(value);
  const type = asText(object?.['type']);
  if (object === undefined || type === undefined) {
    scan.badObjects++;
    return;
  }
  scan.objects++;
  if (isOfTopLevel(type, asArray(object['parents'])?.length ?? 0)) scan.topLevel++;
  count(scan.cityObjects, type);
  const attributes = asObject(object['attributes']);
  if (attributes !== undefined) visit(attributes);
  const geometries = asObjects(object['geometry']).filter((geometry) => geometry !== undefined);
  let finest: JsonObject | undefined;
  for (const geometry of geometries) {
    takeGeometry(scan, geometry);
    if (finest === undefined || lodOf(geometry) > lodOf(finest)) finest = geometry;
  }
  if (finest !== undefined) sampleSurfaces(scan, finest);
}

/** Whether it is neither a part of another one nor a group: groups may be parents of objects that are no parts. */
const isOfTopLevel = (type: string, parents: number): boolean =>
  !isGroup(type) && (parents === 0 || !/^\+|^(?:Building|Bridge|Tunnel)./.test(type));

const lodOf = ({ lod }: JsonObject): number => Number(asText(lod) ?? asNumber(lod) ?? -1);

function takeGeometry(scan: CityJsonScan, geometry: JsonObject): void {
  count(scan.geometryTypes, asText(geometry['type']) ?? 'unknown');
  const lod = asText(geometry['lod']) ?? asNumber(geometry['lod']);
  if (lod !== undefined) count(scan.lods, String(lod));
  for (const surface of asObjects(asObject(geometry['semantics'])?.['surfaces'])) {
    const type = asText(surface?.['type']);
    if (type !== undefined) count(scan.boundarySurfaces, type);
  }
  for (const appearance of ['material', 'texture']) {
    for (const theme in asObject(geometry[appearance]))
      if (scan.themes.size < maxThemes) scan.themes.add(theme.slice(0, 100));
  }
}

function sampleSurfaces({ pending, surfaces }: CityJsonScan, { type, boundaries }: JsonObject): void {
  if (typeof type !== 'string' || !/Surface|Solid/.test(type)) return;
  const takeSurface = (rings: readonly unknown[]): void => {
    for (const ring of rings) {
      for (const index of asArray(ring) ?? []) pending.indices.push(asNumber(index) ?? -1);
      pending.ringEnds.push(pending.indices.length);
    }
    pending.surfaceEnds.push(pending.ringEnds.length);
  };
  const walk = (value: unknown, depth: number): void => {
    const items = asArray(value);
    if (items === undefined || depth > deepest) return;
    if (pending.indices.length + surfaces.positionCount >= surfaces.maxPositions) return;
    const [first] = items;
    if (typeof asArray(first)?.[0] === 'number') takeSurface(items);
    else for (const item of items) walk(item, depth + 1);
  };
  walk(boundaries, 0);
}
