import { gridX, gridY, worldSize } from '@platen/geo/tile/world-grid';

export const thumbnailWidth = 600;
export const thumbnailHeight = 400;
const margin = 20;
/** Fewer, larger tiles have been simplified for fewer pixels than the picture has; more cost time and show no more. */
const maxTiles = 12;
/** If tiles of the lowest zoom are smaller than this, the picture shows the middle of the data only. */
const smallestTilePixels = 50;
const largestTilePixels = 1024;

/** West, south, east, north in degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

export interface Tileset {
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly bounds: Bounds;
}

/** Which tiles the picture shows, and where. */
export interface View {
  readonly zoom: number;
  /** Pixels along the edge of a tile. */
  readonly tilePixels: number;
  readonly tiles: readonly {
    readonly x: number;
    readonly y: number;
    /** Left edge of the tile in pixels. */
    readonly left: number;
    readonly top: number;
  }[];
}

/**
 * Position of the world so that a part of it fills the picture: its north-western corner, and its edge length in
 * pixels.
 */
export interface Frame {
  readonly worldPixels: number;
  readonly left: number;
  readonly top: number;
}

/** Neither larger nor smaller than what those zooms are made for. */
export function frameOf(focus: Bounds, { minZoom, maxZoom }: Pick<Tileset, 'minZoom' | 'maxZoom'>): Frame {
  const { from, to } = squareOf(focus);
  const fit = Math.min(
    (thumbnailWidth - 2 * margin) / (to[0] - from[0]),
    (thumbnailHeight - 2 * margin) / (to[1] - from[1]),
  );
  const worldPixels = Math.min(
    2 ** maxZoom * largestTilePixels,
    Math.max(2 ** minZoom * smallestTilePixels, fit),
  );
  return {
    worldPixels,
    left: thumbnailWidth / 2 - ((from[0] + to[0]) / 2) * worldPixels,
    top: thumbnailHeight / 2 - ((from[1] + to[1]) / 2) * worldPixels,
  };
}

/** The view of a tileset in which `focus` fills the picture. */
export function viewOf({ minZoom, maxZoom, bounds }: Tileset, focus: Bounds = bounds): View {
  const { from, to } = squareOf(bounds);
  const { worldPixels, left, top } = frameOf(focus, { minZoom, maxZoom });
  const at = (zoom: number): View => {
    const tilePixels = worldPixels / 2 ** zoom;
    const columns = tilesBetween(
      { from: from[0], to: to[0], zoom },
      left / tilePixels,
      thumbnailWidth / tilePixels,
    );
    const rows = tilesBetween(
      { from: from[1], to: to[1], zoom },
      top / tilePixels,
      thumbnailHeight / tilePixels,
    );
    const tiles = rows.flatMap((y) =>
      columns.map((x) => ({
        x: x % 2 ** zoom, // beyond the antimeridian the world begins again
        y,
        left: left + x * tilePixels,
        top: top + y * tilePixels,
      })),
    );
    return { zoom, tilePixels, tiles };
  };
  let view = at(minZoom);
  for (let zoom = minZoom + 1; zoom <= maxZoom; zoom++) {
    const closer = at(zoom);
    if (closer.tiles.length > maxTiles) break;
    view = closer;
  }
  return view;
}

/** The north-western and south-eastern corners in world units; the second may be beyond the antimeridian. */
function squareOf([west, south, east, north]: Bounds) {
  return {
    from: [gridX(west) / worldSize, gridY(north) / worldSize],
    to: [gridX(west > east ? east + 360 : east) / worldSize, gridY(south) / worldSize],
  } as const;
}

/** The numbers of the columns, or rows, that hold data and can be seen; `offset` and `length` of the picture in tiles. */
function tilesBetween(
  { from, to, zoom }: { from: number; to: number; zoom: number },
  offset: number,
  length: number,
): number[] {
  const side = 2 ** zoom;
  const first = Math.max(Math.floor(from * side), Math.floor(-offset));
  const last = Math.max(first, Math.min(Math.ceil(to * side), Math.ceil(length - offset)) - 1);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
