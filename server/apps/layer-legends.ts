import { layerLegend } from '@platen/styles/layer-legend';
import type { Module } from '@platen/contract/modules';
import { isObject } from '../base/is-object.ts';
import { baseMapModuleId } from './base-maps/base-map-module.ts';

type Json = Record<string, unknown>;

const vectorTypes = new Set([
  'GeoJSONLayer',
  'VectorLayer',
  'VectorTileLayer',
  'FlatGeobufLayer',
  'FeatureStoreLayer',
  'CesiumTilesetLayer',
  'I3SLayer',
]);
const maxPictures = 10;

/**
 * Layers that say nothing about their legend get one: a sample of their style, or the pictures of a WMS. Layers that nobody
 * can click, such as casings below others, and base maps have none.
 * @param styles of all modules of the app, by name
 */
export function withLegends(module: Module, styles: ReadonlyMap<unknown, Json>): Module {
  if (module._id === baseMapModuleId) return module;
  const explained = new Set<string>();
  const layers = module.layers.map((layer) => {
    const properties = isObject(layer['properties']) ? layer['properties'] : {};
    if (properties['legend'] !== undefined || layer['allowPicking'] === false) return layer;
    const legend = legendOf(layer, textOf(properties['title']) ?? textOf(layer['name']) ?? '', styles);
    if (legend.length === 0) return layer;
    if (layer['datasourceId'] !== undefined) {
      // the same data near and far
      const key = JSON.stringify([layer['datasourceId'], legend]);
      if (explained.has(key)) return layer;
      explained.add(key);
    }
    return { ...layer, properties: { ...properties, legend } };
  });
  return { ...module, layers };
}

function legendOf(layer: Json, title: string, styles: ReadonlyMap<unknown, Json>): object[] {
  const { type, style } = layer;
  if (type === 'WMSLayer') return pictures(layer);
  if (!vectorTypes.has(String(type))) return [];
  return layerLegend(typeof style === 'string' ? styles.get(style) : style, title);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** OGC 05-078r4, Styled Layer Descriptor profile of WMS, GetLegendGraphic. */
function pictures({ url, layers, parameters }: Json): object[] {
  if (typeof url !== 'string' || !/^https?:/.test(url) || typeof layers !== 'string') return [];
  const given = isObject(parameters) ? parameters : {};
  const styleNames = (textOf(given['STYLES']) ?? textOf(given['styles']) ?? '').split(',');
  const separator = url.includes('?') ? (/[?&]$/.test(url) ? '' : '&') : '?';
  return layers
    .split(',')
    .filter((name) => name !== '')
    .slice(0, maxPictures)
    .map((name, index) => {
      const query = new URLSearchParams({
        SERVICE: 'WMS',
        VERSION: '1.1.1',
        REQUEST: 'GetLegendGraphic',
        FORMAT: 'image/png',
        LAYER: name,
        ...(styleNames[index] && { STYLE: styleNames[index] }),
      });
      return { type: 'ImageLegendItem', src: `${url}${separator}${query}`, tooltip: name };
    });
}
