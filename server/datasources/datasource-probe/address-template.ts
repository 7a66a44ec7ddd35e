import type { ProbeResult } from './capabilities.ts';

/** Recognises a template of tiles by the address alone, without a request. */
export function fromTemplate(address: string): (ProbeResult & { url: string }) | undefined {
  if (!/\{z\}/.test(address) || !/\{x\}/.test(address) || !/\{-?y\}/.test(address)) return undefined;
  if (/\.(?:pbf|mvt)(?:$|\?)/i.test(address))
    return { layers: [], typeProperties: {}, type: 'vectortiles', url: address };
  return {
    layers: [],
    type: 'wmts',
    url: withMatrixNames(address),
    bbox: [-180, -85, 180, 85],
    typeProperties: { tilingSchema: 'mercator' },
  };
}

/** Names the parameters of a template as a WMTS layer of the map viewer does. */
export const withMatrixNames = (template: string) =>
  template.replace('{z}', '{TileMatrix}').replace('{x}', '{TileCol}').replace('{y}', '{TileRow}');
