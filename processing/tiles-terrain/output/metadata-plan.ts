import { metadataZooms } from '@platen/formats/quantized-mesh/write-layer-json';
import type { TileRange } from '@platen/formats/quantized-mesh/layer-json';
import type { BlockPlace } from '@platen/geo/terrain/height-grid';
import type { TileSet } from '../pyramid/tile-set.ts';

/** How a client learns which tiles there are. */
export interface MetadataPlan {
  /** By zoom, for the description; undefined where these would be too many. */
  readonly available: readonly (readonly TileRange[])[] | undefined;
  /** What a tile says of those below it. */
  readonly metadataOf: (place: BlockPlace) => object | undefined;
}

/** A description with more ranges takes long to load. */
const maxRanges = 2000;

/** The description lists all tiles if they are few; otherwise every tenth zoom lists the next ten. */
export function metadataPlan(tileSet: TileSet, maxZoom: number): MetadataPlan {
  const available = Array.from({ length: maxZoom + 1 }, (_, z) => tileSet.ranges(z));
  if (available.reduce((sum, ranges) => sum + ranges.length, 0) <= maxRanges)
    return { available, metadataOf: () => undefined };
  return {
    available: undefined,
    metadataOf(place) {
      if (place.z % metadataZooms !== 0) return undefined;
      const zooms = Math.min(metadataZooms, maxZoom - place.z);
      return {
        available: Array.from({ length: zooms }, (_, i) => tileSet.ranges(place.z + i + 1, place)),
      };
    },
  };
}
