import { frameOf } from './frame.ts';
import { encodeTile, tileExtent, type TileFeature } from './mvt-tile.ts';
import { mercatorScaleAt, widthOf } from './name-rooms.ts';
import { nearNamesZoom, type NameLanguage } from '../world-names-layers.ts';
import type { TilePlace } from './tile-picture.ts';
import type { WorldName } from './world-names.ts';

export interface PlacedName extends WorldName {
  /** The first zoom level at which there is room for it. */
  readonly firstZoom: number;
}

/** How wide a tile is on the globe on average, in pixels at the equator. */
const globePixels = 360;

/**
 * Encodes the names of a tile in one language. The last zoom level has those of the levels below it as well, marked by the
 * attribute `near`.
 */
export function nameTile(
  names: readonly PlacedName[],
  { z, x, y }: TilePlace,
  { language, maxZoom }: { readonly language: NameLanguage; readonly maxZoom: number },
): Uint8Array {
  const { scale, left, top } = frameOf({ z, x, y, size: tileExtent, margin: 0 });
  const deepest = z === maxZoom ? nearNamesZoom : z;
  const features = names.flatMap((name): TileFeature[] => {
    if (name.firstZoom > deepest || z > name.maxZoom) return [];
    const at = [Math.floor(name.at[0] * scale - left), Math.floor(name.at[1] * scale - top)] as const;
    if (at.some((value) => value < 0 || value >= tileExtent)) return [];
    const attributes = {
      name: name.names[language],
      kind: name.kind,
      ...(name.firstZoom > z && { near: 1 }),
    };
    return [{ type: 'point', parts: [[[at[0] - shiftOf(name), at[1]]]], attributes }];
  });
  return encodeTile({ names: features });
}

/** Map viewers write to the right of a point: names of countries begin to the left of it, in tile units. */
function shiftOf(name: WorldName): number {
  if (name.kind !== 'country') return 0;
  return Math.round(((widthOf(name) / 2) * mercatorScaleAt(name) * tileExtent) / globePixels);
}
