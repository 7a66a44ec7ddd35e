import type { TileRange } from './layer-json.ts';

export interface LayerToWrite {
  readonly name: string;
  readonly attribution?: string | undefined;
  readonly maxZoom: number;
  /** West, south, east, north in degrees, of the data: the tiles of zoom 0 cover the globe. */
  readonly bounds: readonly [number, number, number, number];
  readonly extensions: readonly string[];
  /** Tiles by zoom; undefined: tiles of every tenth zoom list those below them. */
  readonly available?: readonly (readonly TileRange[])[] | undefined;
}

/** Zooms from one tile that lists those below it to the next. */
export const metadataZooms = 10;

/** The description of a terrain, but for its version and the addresses of its tiles, which who serves it knows. */
export function layerJsonOf(layer: LayerToWrite): Record<string, unknown> {
  const { name, attribution, maxZoom, bounds, extensions, available } = layer;
  const lists = available === undefined;
  return {
    tilejson: '2.1.0',
    name,
    format: 'quantized-mesh-1.0',
    scheme: 'tms',
    projection: 'EPSG:4326',
    minzoom: 0,
    maxzoom: maxZoom,
    bounds: [-180, -90, 180, 90],
    dataBounds: bounds,
    extensions: [...extensions, ...(lists ? ['metadata'] : [])],
    ...(attribution !== undefined && { attribution }),
    ...(lists ? { metadataAvailability: metadataZooms } : { available }),
  };
}
