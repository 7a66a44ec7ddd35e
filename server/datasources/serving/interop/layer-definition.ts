import { addressOf, archiveKind } from '../../address.ts';
import type { Reply } from '../reply.ts';
import type { DataRequest } from '../sources/source.ts';
import { layerDefinition, layerOfFile, layerOfTiles, layerOfWmts } from './qgis.ts';
import { rasterTilesOf } from './raster-tiles.ts';
import { savedBase } from './saved-base.ts';
import { templateOf } from './tile-json.ts';

/** The layer definition file for QGIS: `qgis.qlr`, or `qgis-wmts.qlr` for raster tiles by WMTS. */
export async function findLayerDefinition(request: DataRequest): Promise<Reply | undefined> {
  const { cache, datasource, path } = request;
  const base = savedBase(request);
  const described = await cache.description(datasource._id);
  if (base === undefined || !described) return undefined;
  const layer = await qgisLayerOf(request, base);
  if (!layer) return undefined;
  const text = layerDefinition(layer, { id: datasource._id, name: described.name });
  return { kind: 'xml', text, contentType: 'application/x-qgis-layer-definition', fileName: path };
}

async function qgisLayerOf(request: DataRequest, base: string) {
  const { datasource, path } = request;
  const { type } = datasource;
  if (path !== 'qgis.qlr' && path !== 'qgis-wmts.qlr') return undefined;
  const tiles = await rasterTilesOf(request);
  if (path === 'qgis-wmts.qlr') return tiles && layerOfWmts(base, tiles.contentType);
  if (tiles) return layerOfTiles('raster', `${base}/xyz/{z}/{x}/{y}.${tiles.extension}`, tiles);
  if (type !== 'vectortiles') {
    const address = addressOf(datasource).slice(`/data/${datasource._id}`.length);
    return layerOfFile(type, base + address);
  }
  const template = templateOf(request, base);
  return template && layerOfTiles('vector-tile', template, await vectorZooms(request));
}

/** Returns the zooms that the datasource names, else those of its archive. */
async function vectorZooms({ cache, datasource }: DataRequest) {
  const { _id, bucketId, bucketKey, servedFolder } = datasource;
  const kind = servedFolder === null ? archiveKind(bucketKey!) : undefined;
  const file = kind && kind !== 'zip' ? await cache.file(bucketId!, bucketKey!) : undefined;
  const { typeProperties = {} } = (await cache.description(_id)) ?? {};
  const archive =
    file && kind === 'pmtiles'
      ? (await cache.archive(file.blobId)).header
      : file && (await cache.archives.mbtiles(file));
  const zoom = (value: unknown, fallback: number | undefined) =>
    Number.isInteger(value) ? (value as number) : fallback;
  return {
    minZoom: zoom(typeProperties['minZoom'], archive?.minZoom),
    maxZoom: zoom(typeProperties['maxZoom'], archive?.maxZoom),
  };
}
