import { terrainPlace } from '@platen/geo/tile/terrain-path';
import { withMembers } from '../../parsing/parse-file.ts';
import type { Reply } from '../reply.ts';
import { findArchiveTile } from './pmtiles.ts';
import type { FileRequest, Source } from './source.ts';

export const terrainType = 'application/vnd.quantized-mesh';

/** Terrain in a PMTiles archive: its description, and its tiles. */
export const terrain: Source<FileRequest> = {
  async find({ cache, path, file }: FileRequest): Promise<Reply | undefined> {
    if (path === 'layer.json') {
      const layer = await cache.layerJson(file);
      // browsers may keep a tile for as long as its address is the same
      const version = file.etag.slice(1, 17);
      const tiles = ['{z}/{x}/{y}.terrain?v={version}'];
      return { kind: 'document', bytes: withMembers(layer, { version, tiles }) };
    }
    const place = terrainPlace(path);
    // clients ask only for what is announced: no tile is an error
    return place && findArchiveTile(cache, file, { place, contentType: terrainType });
  },
};
