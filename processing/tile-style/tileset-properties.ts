import {
  geometryKinds,
  type DescribedField,
  type DescribedLayer,
  type DescribedTileset,
} from './described-tileset.ts';
import { maplibreStyle } from './maplibre-style.ts';
import { vcMapStyle } from './vc-map-style.ts';

/** Lists of datasources carry the properties of all of them. */
const mostBytes = 256 * 1024;
const longestText = 200;

interface Limits {
  readonly layers: number;
  /** In all layers together. */
  readonly fields: number;
  /** Of each field. */
  readonly values: number;
}

/** Tried one after the other; the last always fits. */
const limits: readonly Limits[] = [
  { layers: 200, fields: 2000, values: 20 },
  { layers: 200, fields: 1000, values: 5 },
  { layers: 100, fields: 500, values: 0 },
  { layers: 20, fields: 100, values: 0 },
];

/**
 * What a datasource of vector tiles tells of its data: counts, layers, fields with their values, and a style for
 * MapLibre, whose TileJSON is `tiles.json` beside it, and for VC Map. Where that would be too long, the last layers,
 * fields and values are left out, and `isShortened` says so.
 */
export function tilesetProperties(tileset: DescribedTileset): Record<string, unknown> {
  const layers = tileset.layers.filter(({ features }) => features > 0);
  for (const [attempt, limit] of limits.entries()) {
    const properties = propertiesWithin({ ...tileset, layers }, limit);
    const bytes = Buffer.byteLength(JSON.stringify(properties));
    if (bytes <= mostBytes || attempt === limits.length - 1) return properties;
  }
  throw new Error('there is no limit to try');
}

function propertiesWithin(tileset: DescribedTileset, limit: Limits): Record<string, unknown> {
  const layers = tileset.layers.filter(({ name }) => name.length <= longestText).slice(0, limit.layers);
  const all = layers.flatMap((layer) => [...layer.attributes.values()].map((field) => ({ layer, field })));
  const kept = all.filter(({ field }) => field.name.length <= longestText).slice(0, limit.fields);
  const isShortened = layers.length < tileset.layers.length || kept.length < all.length || limit.values < 20;
  const shown = { ...tileset, layers, attribution: tileset.attribution?.slice(0, 2000) };
  return {
    featureCount: sum(tileset.layers.map(({ features }) => features)),
    geometryTypes: geometryKinds.filter((kind) => tileset.layers.some((layer) => layer.geometries[kind] > 0)),
    vectorLayers: layers.map((layer) => describeLayer(layer, tileset)),
    fields: kept.map(({ layer, field }) => describeField(field, layer.name, limit.values)),
    style: maplibreStyle(shown, 'tiles.json'),
    vcMapStyle: vcMapStyle(layers),
    ...(isShortened && { isShortened }),
  };
}

function describeLayer(layer: DescribedLayer, tileset: DescribedTileset): Record<string, unknown> {
  return {
    id: layer.name,
    minzoom: layer.minZoom ?? tileset.minZoom,
    maxzoom: layer.maxZoom ?? tileset.maxZoom,
    featureCount: layer.features,
    geometryTypes: geometryKinds.filter((kind) => layer.geometries[kind] > 0),
  };
}

const typeNames: Readonly<Record<number, string>> = { 1: 'number', 2: 'boolean', 4: 'string' };

function describeField({ name, types, values, min, max }: DescribedField, layer: string, mostValues: number) {
  const short = [...values].filter((value) => typeof value !== 'string' || value.length <= longestText);
  return {
    layer,
    name,
    type: typeNames[types] ?? 'mixed',
    ...(min <= max && { min, max }),
    // of the distinct values that were kept; there may be more
    count: values.size,
    values: short.slice(0, mostValues),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
