/** West, south, east, north in metres of web mercator; the east is beyond its edge where a sheet crosses 180°. */
export type MercatorBox = readonly [west: number, south: number, east: number, north: number];

/** The image in the grid of the tiles of web maps (GoogleMapsCompatible). */
export interface MercatorFrame {
  readonly zoom: number;
  /** Pixels of the zoom that are left of it and above. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Metres of web mercator around the Earth. */
export const worldMetres = 2 * Math.PI * 6_378_137;

/** Whether they have a point in common, be it of their edges. */
export function overlap(a: MercatorBox, b: MercatorBox): boolean {
  if (a[1] > b[3] || a[3] < b[1]) return false;
  const meet = (shift: number): boolean => a[0] <= b[2] + shift && a[2] >= b[0] + shift;
  return meet(0) || (crosses180(a) && meet(worldMetres)) || (crosses180(b) && meet(-worldMetres));
}

export function crosses180([, , east]: MercatorBox): boolean {
  return east > worldMetres / 2;
}
/** Of the equator. */
export const metresOfDegree = worldMetres / 360;
export const tileSide = 256;
/** Pixels that may be larger than those of the sheets. */
const coarser = 1.2;
const maxZoom = 30;
/** Where web mercator ends, as a square. */
const maxLatitude = 85.051_128_78;

/** Metres of web mercator that a pixel is wide. */
export function pixelMetres(zoom: number): number {
  return worldMetres / tileSide / 2 ** zoom;
}

/** The lowest zoom whose pixels are about as small as those of the sheets. @param metres of web mercator */
export function zoomOf(metres: number): number {
  const zoom = Math.ceil(Math.log2(pixelMetres(0) / (metres * coarser)) - 1e-9);
  return Math.min(maxZoom, Math.max(0, zoom));
}

/**
 * Whole tiles around all pixels, and around at least one pixel more on each side, which is transparent: viewers stretch the
 * last pixels of an image over the rest of the globe.
 */
export function frameOf([west, south, east, north]: MercatorBox, zoom: number): MercatorFrame {
  const metres = pixelMetres(zoom);
  const tiles = 2 ** zoom;
  const tileOf = (pixels: number, round: (value: number) => number): number =>
    Math.min(tiles, Math.max(0, round(pixels / tileSide)));
  const left = tileOf((west + worldMetres / 2) / metres - 1, Math.floor);
  const right = tileOf((east + worldMetres / 2) / metres + 1, Math.ceil);
  const top = tileOf((worldMetres / 2 - north) / metres - 1, Math.floor);
  const bottom = tileOf((worldMetres / 2 - south) / metres + 1, Math.ceil);
  return {
    zoom,
    left: left * tileSide,
    top: top * tileSide,
    width: Math.max(1, right - left) * tileSide,
    height: Math.max(1, bottom - top) * tileSide,
  };
}

/** The upper left corner, in metres. */
export function cornerOf({ zoom, left, top }: MercatorFrame): [x: number, y: number] {
  const metres = pixelMetres(zoom);
  return [left * metres - worldMetres / 2, worldMetres / 2 - top * metres];
}

/** West, south, east, north in degrees. */
export function degreesOf(box: MercatorBox): [west: number, south: number, east: number, north: number] {
  const lon = (x: number): number => (x / worldMetres) * 360;
  const lat = (y: number): number => (Math.atan(Math.sinh((y / worldMetres) * 2 * Math.PI)) * 180) / Math.PI;
  return [lon(box[0]), lat(box[1]), lon(box[2]), lat(box[3])];
}

/** West, south, east and north in degrees, as far as web mercator goes, in its metres. */
export function mercatorOf([west, south, east, north]: readonly [
  number,
  number,
  number,
  number,
]): MercatorBox {
  const x = (lon: number): number => (lon / 360) * worldMetres;
  const y = (lat: number): number => {
    const limited = Math.min(maxLatitude, Math.max(-maxLatitude, lat));
    return (Math.asinh(Math.tan((limited * Math.PI) / 180)) / (2 * Math.PI)) * worldMetres;
  };
  return [x(west), y(south), x(east), y(north)];
}
