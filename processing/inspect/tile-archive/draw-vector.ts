import { TileError } from '@platen/geo/mvt/read-tile';
import { drawThumbnail } from '../../tile-style/draw-thumbnail.ts';
import type { Tileset } from '../../tile-style/thumbnail-view.ts';
import { shrinkPicture } from '../encode-picture.ts';
import { unpackTile } from './tile-kind.ts';

export interface Drawn {
  readonly view: Tileset;
  readonly layers: readonly string[];
  readonly read: (z: number, x: number, y: number) => Promise<Uint8Array | undefined>;
  readonly isOver: () => boolean;
}

/** @returns a data: URL; undefined where there is nothing to see */
export async function drawVector({ view, layers, read, isOver }: Drawn): Promise<string | undefined> {
  let isSeen = false;
  try {
    const png = await drawThumbnail({ ...view, layers }, async (z, x, y) => {
      const tile = isOver() ? undefined : await read(z, x, y);
      isSeen ||= tile !== undefined;
      return tile && unpackTile(tile);
    });
    return isSeen ? await shrinkPicture(png) : undefined;
  } catch (error) {
    // that a tile is damaged was told
    if (!(error instanceof TileError)) throw error;
    return undefined;
  }
}
