import { startsLikeGzip } from '../archives.ts';
import { tileJsonOf } from './metadata-tile-json.ts';
import { imageTypes, vectorType } from './tile-address.ts';
import type { TileArchive } from './tile-archive.ts';

const maxZoom = 30;

/** MBTiles: an SQLite database of tiles. */
export const mbtiles: TileArchive = {
  async findTile(cache, file, { z, x, y, isVector }) {
    const { format } = await cache.archives.mbtiles(file);
    const extension = extensionOf(format);
    if (isVector !== (extension === 'pbf')) return undefined;
    const tile = z > maxZoom ? undefined : await cache.mbtile(file, z, x, y);
    if (!tile) return { kind: 'noTile', mayAppear: false };
    return {
      kind: 'tile',
      etag: `${file.etag.slice(1, 33)}-${z}-${x.toString(36)}-${y.toString(36)}`,
      contentType: isVector ? vectorType : (imageTypes[extension] ?? 'application/octet-stream'),
      isPacked: startsLikeGzip(tile),
      read: () => tile,
    };
  },

  async describe(cache, file, base) {
    const { metadata, format } = await cache.archives.mbtiles(file);
    return tileJsonOf(Object.fromEntries(metadata), base, extensionOf(format));
  },
};

/** Returns the extension of tiles by the `format` of the metadata, an extension or a media type; `pbf` if it is neither. */
export function extensionOf(format: string): string {
  const name = format.replace(/^image\//, '').replace('jpeg', 'jpg');
  return Object.hasOwn(imageTypes, name) ? name : 'pbf';
}
