import {
  addStatistics,
  createStatistics,
  maxAttributes,
  type AttributeStatistics,
} from '../kit/attribute-statistics.ts';

/** A layer in the tiles with the statistics of its features. Plain data, as it is sent between threads. */
export interface Layer {
  readonly name: string;
  /** Whether its features only say where the labels of others are. */
  readonly holdsLabels: boolean;
  features: number;
  /** The zooms that may show any of its features. */
  minZoom: number;
  maxZoom: number;
  readonly geometries: { Point: number; LineString: number; Polygon: number };
  /** By attribute name. */
  readonly attributes: Map<string, AttributeStatistics>;
}

/** In order of first appearance. */
export type Layers = Map<string, Layer>;

export function layerOf(layers: Layers, name: string, holdsLabels = false): Layer {
  let layer = layers.get(name);
  if (layer === undefined) {
    layer = {
      name,
      holdsLabels,
      features: 0,
      minZoom: Infinity,
      maxZoom: 0,
      geometries: { Point: 0, LineString: 0, Polygon: 0 },
      attributes: new Map(),
    };
    layers.set(name, layer);
  }
  return layer;
}

/** Merges the statistics of further features. */
export function addLayers(layers: Layers, further: Layers): void {
  for (const { name, holdsLabels, features, minZoom, maxZoom, geometries, attributes } of further.values()) {
    const layer = layerOf(layers, name, holdsLabels);
    layer.minZoom = Math.min(layer.minZoom, minZoom);
    layer.maxZoom = Math.max(layer.maxZoom, maxZoom);
    layer.features += features;
    for (const type of ['Point', 'LineString', 'Polygon'] as const)
      layer.geometries[type] += geometries[type];
    for (const statistics of attributes.values())
      addStatistics(boundedStatisticsOf(layer, statistics.name), statistics);
  }
}

/**
 * Statistics of an attribute in features of the whole input, in their order: of attributes beyond the limit, no values
 * are kept.
 */
export function boundedStatisticsOf(layer: Layer, name: string): AttributeStatistics {
  return layer.attributes.get(name) ?? create(layer, name, layer.attributes.size < maxAttributes);
}

/**
 * The same in a part of the input, which does not know yet whether an attribute is among the first ones of the whole.
 */
export function statisticsOf(layer: Layer, name: string): AttributeStatistics {
  return layer.attributes.get(name) ?? create(layer, name, true);
}

function create(layer: Layer, name: string, keepsValues: boolean): AttributeStatistics {
  const statistics = createStatistics(name, keepsValues);
  layer.attributes.set(name, statistics);
  return statistics;
}
