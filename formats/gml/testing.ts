import assert from 'node:assert/strict';
import type { SeenFeature } from '../testing-parts.ts';
import { readFileOf } from '../xml/testing.ts';
import { gmlFormat } from './format.ts';

export const namespaces =
  'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:a="http://example.org/a" ' +
  'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
export const wfsCollection = (...features: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<wfs:FeatureCollection ${namespaces} numberMatched="${features.length}">\n` +
  `${features.map((feature) => `<wfs:member>\n${feature}\n</wfs:member>`).join('\n')}\n</wfs:FeatureCollection>`;
export const featureXml = (type: string, content: string, id = '1') =>
  `<a:${type} gml:id="${id}">${content}</a:${type}>`;
export const withGeometry = (content: string) =>
  wfsCollection(featureXml('Thing', `<a:geom>${content}</a:geom>`));

export const readLayers = async (content: string | Uint8Array, partBytes = 1 << 20) =>
  (await readFileOf(gmlFormat, content, { partBytes })).layers;
export const onlyFeature = async (content: string): Promise<SeenFeature> => {
  const layers = await readLayers(content);
  assert.equal(layers.length, 1);
  assert.equal(layers[0]!.features.length, 1);
  return layers[0]!.features[0]!;
};
export const partsOf = async (geometry: string) => {
  const { parts, problem } = await onlyFeature(withGeometry(geometry));
  assert.equal(problem, undefined);
  return parts;
};
