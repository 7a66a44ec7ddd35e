import type { ServedDatasource } from './access.ts';
import { startsLikeGzip } from './archives.ts';
import type { ServedFile } from './file-headers.ts';
import type { Library } from './library.ts';
import { sendJson, sendNoTile, sendTile } from './reply.ts';
import type { Exchange } from './send-bytes.ts';
import { tileJsonOf } from './tile-folder.ts';
import { imageTypes, tileAddress, vectorType } from './tiles.ts';

/** Answers with a tile of an MBTiles file, as `sendArchiveTile` does with one of a PMTiles archive. */
export async function sendMbtile(
  library: Library,
  { file, type, rest }: { file: ServedFile; type: ServedDatasource['type']; rest: string },
  exchange: Exchange,
): Promise<boolean> {
  const wanted = tileAddress(rest, type);
  if (!wanted) return false;
  const { z, x, y, isVector } = wanted;
  const { format } = await library.archives.mbtiles(file);
  if (isVector !== (extensionOf(format) === 'pbf')) return false;
  if (z > 30) return sendNoTile(exchange);
  const tile = await library.mbtile(file, z, x, y);
  if (!tile) return sendNoTile(exchange);
  return sendTile(
    {
      etag: `${file.etag.slice(1, 33)}-${z}-${x.toString(36)}-${y.toString(36)}`,
      contentType: isVector ? vectorType : (imageTypes[extensionOf(format)] ?? 'application/octet-stream'),
      isPacked: startsLikeGzip(tile),
      read: () => tile,
    },
    exchange,
  );
}

/** Answers with the TileJSON 3.0 of an MBTiles file; `base` is the absolute address of the datasource. */
export async function sendMbtilesTileJson(
  library: Library,
  { file, base }: { file: ServedFile; base: string },
  exchange: Exchange,
): Promise<boolean> {
  const { metadata, format } = await library.archives.mbtiles(file);
  return sendJson(tileJsonOf(Object.fromEntries(metadata), base, extensionOf(format)), exchange);
}

/** Of tiles, by what the metadata calls them: an ending, or a media type. Vectors where it is silent. */
export function extensionOf(format: string): string {
  const name = format.replace(/^image\//, '').replace('jpeg', 'jpg');
  return Object.hasOwn(imageTypes, name) ? name : 'pbf';
}
