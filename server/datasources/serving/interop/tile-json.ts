import { addressOf } from '../../address.ts';
import type { Reply } from '../reply.ts';
import type { DataRequest } from '../sources/source.ts';
import { rasterTilesOf } from './raster-tiles.ts';

/** The TileJSON of tiles that have none themselves: folders without metadata, and images with rows from the south. */
export async function findTileJson(request: DataRequest): Promise<Reply | undefined> {
  const { cache, datasource, base } = request;
  const tiles = await rasterTilesOf(request);
  if (tiles) {
    const { name, description, extension, minZoom: minzoom, maxZoom: maxzoom, bounds } = tiles;
    const template = `${base()}/xyz/{z}/{x}/{y}.${extension}`;
    const extent = { minzoom, maxzoom, bounds };
    return {
      kind: 'json',
      body: { tilejson: '3.0.0', name, description, tiles: [template], scheme: 'xyz', ...extent },
    };
  }
  if (datasource.type !== 'vectortiles') return undefined;
  const described = await cache.description(datasource._id);
  const template = templateOf(request, base());
  if (!described || template === undefined) return undefined;
  const { name, description, bbox, typeProperties } = described;
  const zooms = { minzoom: typeProperties['minZoom'], maxzoom: typeProperties['maxZoom'] };
  const body = { tilejson: '3.0.0', name, description, tiles: [template], scheme: 'xyz', ...zooms };
  return { kind: 'json', body: { ...body, ...(bbox && { bounds: bbox }), vector_layers: [] } };
}

/** Returns the address of tiles as a template; undefined for a style, which has addresses of its own. */
export function templateOf({ datasource }: DataRequest, base: string): string | undefined {
  const path = addressOf(datasource).slice(`/data/${datasource._id}`.length);
  return path.includes('{z}') ? base + path : undefined;
}
