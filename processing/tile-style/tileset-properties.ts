import { describeValues, maxListedLength, type ValueLimits } from '../kit/describe-values.ts';
import {
  geometryKinds,
  type DescribedField,
  type DescribedLayer,
  type DescribedTileset,
} from './described-tileset.ts';
import { maplibreStyle } from './maplibre-style.ts';
import { labelledStyle } from './labelled-style.ts';
import { vcMapStyle } from './vc-map-style.ts';

/** Lists of datasources contain the properties of each, so they are limited. */
const maxBytes = 256 * 1024;
const maxAttributionLength = 2000;

interface Limits extends ValueLimits {
  readonly layers: number;
  /** Total of all layers. */
  readonly fields: number;
}

/** Tried in order until the properties fit; the last always fits. */
const limits: readonly Limits[] = [
  { layers: 200, fields: 2000, values: 20, quantiles: 51 },
  { layers: 200, fields: 2000, values: 20, quantiles: 0 },
  { layers: 200, fields: 1000, values: 5, quantiles: 0 },
  { layers: 100, fields: 500, values: 0, quantiles: 0 },
  { layers: 20, fields: 100, values: 0, quantiles: 0 },
];

/**
 * Properties of a datasource of features: counts, fields with values, and a style for VC Map. If they are too long,
 * the
 * last layers, fields and values are omitted and `isShortened` is set.
 */
export function layersProperties(
  layers: readonly DescribedLayer[],
  limitBytes = Infinity,
): Record<string, unknown> {
  return shorten(layers, (kept) => kept.common, Math.min(maxBytes, limitBytes));
}

/**
 * Like layersProperties, plus the attribution, the vector layers and a style for MapLibre that refers to `tiles.json` in
 * the same folder.
 */
export function tilesetProperties(tileset: DescribedTileset): Record<string, unknown> {
  const attribution = tileset.attribution?.slice(0, maxAttributionLength);
  const { labels } = tileset;
  const layers = tileset.layers.filter(({ holdsLabels }) => holdsLabels !== true);
  return shorten(layers, ({ common, layers }) => ({
    ...common,
    ...(labels !== undefined && {
      labels: { attribute: labels.attribute, size: labels.size },
      vcMapStyle: labelledStyle(layers, labels),
    }),
    ...(attribution !== undefined && { attribution }),
    vectorLayers: layers.map((layer) => describeLayer(layer, tileset)),
    style: maplibreStyle({ ...tileset, layers, attribution }, 'tiles.json'),
  }));
}

interface Kept {
  readonly layers: readonly DescribedLayer[];
  readonly common: Record<string, unknown>;
}

function shorten(
  layers: readonly DescribedLayer[],
  build: (kept: Kept) => Record<string, unknown>,
  limitBytes = maxBytes,
): Record<string, unknown> {
  const used = layers.filter(({ features }) => features > 0);
  for (const [attempt, limit] of limits.entries()) {
    const properties = build(keepWithin(used, limit));
    const bytes = Buffer.byteLength(JSON.stringify(properties));
    if (bytes <= limitBytes || attempt === limits.length - 1) return properties;
  }
  throw new Error('there is no limit to try');
}

function keepWithin(all: readonly DescribedLayer[], limit: Limits): Kept {
  const layers = all.filter(({ name }) => name.length <= maxListedLength).slice(0, limit.layers);
  const fields = layers.flatMap((layer) => [...layer.attributes.values()].map((field) => ({ layer, field })));
  const kept = fields.filter(({ field }) => field.name.length <= maxListedLength).slice(0, limit.fields);
  const isShortened = layers.length < all.length || kept.length < fields.length || limit !== limits[0];
  return {
    layers,
    common: {
      featureCount: sum(all.map(({ features }) => features)),
      geometryTypes: geometryKinds.filter((kind) => all.some((layer) => layer.geometries[kind] > 0)),
      fields: kept.map(({ layer, field }) => describeField(field, layer, limit)),
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

const describeField = (field: DescribedField, { name, features }: DescribedLayer, limit: Limits) => ({
  layer: name,
  name: field.name,
  type: typeNames[field.types] ?? 'mixed',
  ...describeValues(field, features, limit),
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
