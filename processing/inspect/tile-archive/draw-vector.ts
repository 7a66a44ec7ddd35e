import { TileError } from '@platen/geo/mvt/read-tile';
import { paintThumbnail } from '../../tile-style/draw-thumbnail.ts';
import type { Tileset } from '../../tile-style/thumbnail-view.ts';
import { encodePicture } from '../encode-picture.ts';
import { unpackTile } from './tile-kind.ts';

export interface Drawn {
  readonly view: Tileset;
  readonly layers: readonly string[];
  readonly read: (z: number, x: number, y: number) => Promise<Uint8Array | undefined>;
  readonly isOver: () => boolean;
}

/** @returns a data: URL; undefined if there is nothing to draw */
export async function drawVector({ view, layers, read, isOver }: Drawn): Promise<string | undefined> {
  let isSeen = false;
  try {
    const picture = await paintThumbnail({ ...view, layers }, async (z, x, y) => {
      const tile = isOver() ? undefined : await read(z, x, y);
      isSeen ||= tile !== undefined;
      return tile && unpackTile(tile);
    });
    return isSeen ? await encodePicture(picture) : undefined;
  } catch (error) {
    // The damaged tile has been reported where tiles are described.
    if (!(error instanceof TileError)) throw error;
    return undefined;
  }
}
