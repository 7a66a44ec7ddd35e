/** World tiles next to each other, and the position of a box on them. */
export interface MiniMap {
  readonly tiles: readonly { readonly address: string; readonly x: number; readonly y: number }[];
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

export const tileSize = 256;
const maxZoom = 4;
/** The largest share of the map that the box may take. */
const share = 0.6;

/** Web Mercator, as fractions of the world from the north-west. */
function project(longitude: number, latitude: number): readonly [x: number, y: number] {
  const sine = Math.sin((Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180);
  return [longitude / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

/**
 * The map of a box `[west, south, east, north]` in degrees, with the given size in pixels, as close as the tiles
 * allow.
 */
export function miniMapOf(bbox: readonly number[], width: number, height: number): MiniMap {
  const [west = -180, south = -85, east = 180, north = 85] = bbox;
  const [left, top] = project(west, north);
  const [right, bottom] = project(east < west ? east + 360 : east, south);
  const fits = Math.min((width * share) / (right - left || 1e-9), (height * share) / (bottom - top || 1e-9));
  // close enough for the world to be as wide as the map
  const nearest = Math.ceil(Math.log2(width / tileSize));
  const zoom = Math.max(nearest, 0, Math.min(maxZoom, Math.floor(Math.log2(fits / tileSize))));
  const count = 2 ** zoom;
  const size = tileSize * count;
  const x0 = ((left + right) / 2) * size - width / 2;
  // the map ends at the north and south edges of the world
  const y0 = Math.max(0, Math.min(size - height, ((top + bottom) / 2) * size - height / 2));
  const tiles = [];
  for (let y = Math.floor(y0 / tileSize); y * tileSize < y0 + height; y++) {
    for (let x = Math.floor(x0 / tileSize); x * tileSize < x0 + width; x++) {
      const column = ((x % count) + count) % count;
      if (y < 0 || y >= count) continue;
      tiles.push({
        address: `/basemap/world/${zoom}/${column}/${y}.png`,
        x: x * tileSize - x0,
        y: y * tileSize - y0,
      });
    }
  }
  const box = {
    x: left * size - x0,
    y: top * size - y0,
    width: (right - left) * size,
    height: (bottom - top) * size,
  };
  return { tiles, box };
}
