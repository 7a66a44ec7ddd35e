import type { Reply } from '../reply.ts';
import type { ServedFile } from '../file-headers.ts';
import type { ServingCache } from '../serving-cache.ts';
import type { FileRequest, Source } from './source.ts';
import { findStyleReply } from './style.ts';
import { tileAddress, type TileAddress } from './tile-address.ts';

/** A format of single files that hold tiles. */
export interface TileArchive {
  /** Finds a tile; undefined if the archive holds another kind of tiles than the address asks for. */
  findTile(cache: ServingCache, file: ServedFile, address: TileAddress): Promise<Reply | undefined>;
  /** Returns the TileJSON 3.0 of the archive; `base` is the absolute address of the datasource. */
  describe(cache: ServingCache, file: ServedFile, base: string): Promise<Uint8Array>;
}

/** The tiles of an archive, their TileJSON and the style of the datasource. */
export function tilesOf(archive: TileArchive): Source<FileRequest> {
  return {
    async find(request: FileRequest): Promise<Reply | undefined> {
      const { cache, datasource, path, base, file } = request;
      const { type } = datasource;
      if (path === 'style.json') return findStyleReply(request);
      if (path === 'tiles.json') {
        if (type === 'tms') return undefined; // rows of a TMS count from the south: ../interop/tile-json.ts
        return { kind: 'document', bytes: await archive.describe(cache, file, base()) };
      }
      const address = tileAddress(path, type);
      return address && archive.findTile(cache, file, address);
    },
  };
}
