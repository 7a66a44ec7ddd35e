const pathForm = /^(\d{1,2})\/(\d{1,9})\/(\d{1,9})\.terrain$/;

type Place = readonly [z: number, x: number, y: number];

/**
 * The place in an archive of the tile at `<z>/<x>/<y>.terrain`, where rows count from the south: zoom 0 of terrain, two tiles
 * beside each other, is the upper half of zoom 1 there. Undefined: the path names no tile.
 */
export function terrainPlace(path: string): Place | undefined {
  const match = pathForm.exec(path);
  if (!match) return undefined;
  const [z, x, row] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return row < 2 ** z ? [z + 1, x, 2 ** z - 1 - row] : undefined;
}

/** The path of the tile at a place of the archive, below zoom 0 of it. */
export function terrainPath(z: number, x: number, y: number): string {
  return `${z - 1}/${x}/${2 ** (z - 1) - 1 - y}.terrain`;
}

/** What a layer.json says about tiles that lie beside it under these paths, where nothing tells versions apart. */
export const relativeAddresses = { version: '1.0.0', tiles: ['{z}/{x}/{y}.terrain'] };
