import { startsLikeGzip } from '../archives.ts';
import { mbtilesExtension } from '../../parsing/mbtiles-extension.ts';
import { tilesAt } from './tile-json.ts';
import { imageTypes, vectorType } from './tile-address.ts';
import type { TileArchive } from './tile-archive.ts';

const maxZoom = 30;

/** MBTiles: an SQLite database of tiles. */
export const mbtiles: TileArchive = {
  async findTile(cache, file, { z, x, y, isVector }) {
    const { format } = await cache.archives.mbtiles(file);
    const extension = mbtilesExtension(format);
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
    const { format } = await cache.archives.mbtiles(file);
    return tilesAt(base, mbtilesExtension(format), await cache.tileJson(file, 'mbtiles'));
  },
};
