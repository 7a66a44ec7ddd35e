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
const longestAttribution = 2000;

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
 * What a datasource of features tells of its data: counts, fields with their values, and a style for VC Map. Where that
 * would be too long, the last layers, fields and values are left out, and `isShortened` says so.
 */
export function layersProperties(layers: readonly DescribedLayer[]): Record<string, unknown> {
  return shorten(layers, (kept) => kept.common);
}

/** The same of vector tiles, with their layers and a style for MapLibre, whose TileJSON is `tiles.json` beside it. */
export function tilesetProperties(tileset: DescribedTileset): Record<string, unknown> {
  return shorten(tileset.layers, ({ common, layers }) => ({
    ...common,
    vectorLayers: layers.map((layer) => describeLayer(layer, tileset)),
    style: maplibreStyle(
      { ...tileset, layers, attribution: tileset.attribution?.slice(0, longestAttribution) },
      'tiles.json',
    ),
  }));
}

interface Kept {
  readonly layers: readonly DescribedLayer[];
  readonly common: Record<string, unknown>;
}

function shorten(
  layers: readonly DescribedLayer[],
  build: (kept: Kept) => Record<string, unknown>,
): Record<string, unknown> {
  const used = layers.filter(({ features }) => features > 0);
  for (const [attempt, limit] of limits.entries()) {
    const properties = build(keepWithin(used, limit));
    const bytes = Buffer.byteLength(JSON.stringify(properties));
    if (bytes <= mostBytes || attempt === limits.length - 1) return properties;
  }
  throw new Error('there is no limit to try');
}

function keepWithin(all: readonly DescribedLayer[], limit: Limits): Kept {
  const layers = all.filter(({ name }) => name.length <= longestText).slice(0, limit.layers);
  const fields = layers.flatMap((layer) => [...layer.attributes.values()].map((field) => ({ layer, field })));
  const kept = fields.filter(({ field }) => field.name.length <= longestText).slice(0, limit.fields);
  const isShortened =
    layers.length < all.length || kept.length < fields.length || limit.values < limits[0]!.values;
  return {
    layers,
    common: {
      featureCount: sum(all.map(({ features }) => features)),
      geometryTypes: geometryKinds.filter((kind) => all.some((layer) => layer.geometries[kind] > 0)),
      fields: kept.map(({ layer, field }) => describeField(field, layer.name, limit.values)),
      vcMapStyle: vcMapStyle(layers),
      ...(isShortened && { isShortened }),
    },
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
