import type { ServedDatasource } from '../access.ts';

const address = /^(\d{1,2})\/(\d{1,9})\/(\d{1,9})\.(pbf|mvt|png|jpe?g|webp|avif)$/;

export const vectorType = 'application/vnd.mapbox-vector-tile';

/** Media types of images by the file extension of a tile. */
export const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** A tile of web mercator, with rows counted from the north. */
export interface TileAddress {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly isVector: boolean;
}

/** Returns whether a path is the address of a tile. */
export function isTileAddress(path: string): boolean {
  return address.test(path);
}

/** Reads `<z>/<x>/<y>.<extension>`; rows of a TMS count from the south. undefined: the path names no tile. */
export function tileAddress(path: string, type: ServedDatasource['type']): TileAddress | undefined {
  const match = address.exec(path);
  if (!match) return undefined;
  const [z, x] = [Number(match[1]), Number(match[2])];
  const y = type === 'tms' ? 2 ** z - 1 - Number(match[3]) : Number(match[3]);
  return { z, x, y, isVector: match[4] === 'pbf' || match[4] === 'mvt' };
}
