import { frameOf } from './frame.ts';
import { landIn, linesIn, margin } from './line-tiles.ts';
import { encodeTile, tileExtent, type TileFeature } from './mvt-tile.ts';
import type { TilePlace } from './tile-picture.ts';
import type { WorldOutlines } from './world-outlines.ts';

/** In tile units; no more than that, or water would cover the land of the next tile. */
const wholeTile: TileFeature['parts'] = [
  [
    [0, 0],
    [tileExtent, 0],
    [tileExtent, tileExtent],
    [0, tileExtent],
  ],
];

/**
 * Encodes one tile of the world in detail. Map viewers draw features of a tile in their order only while these are few,
 * so that each kind is one feature: water, the land on it, borders, coasts.
 */
export function detailTile(world: WorldOutlines, { z, x, y }: TilePlace): Uint8Array {
  const frame = frameOf({ z, x, y, size: tileExtent, margin });
  const features: TileFeature[] = [
    { type: 'polygon', parts: wholeTile, attributes: { kind: 'water' } },
    ...asOne('land', landIn(frame, world.land)),
    ...asOne('border', linesIn(frame, world.borders)),
    ...asOne('coast', linesIn(frame, world.coasts)),
  ];
  return encodeTile({ world: features });
}

function asOne(kind: string, features: readonly TileFeature[]): TileFeature[] {
  const [first] = features;
  if (first === undefined) return [];
  return [{ type: first.type, parts: features.flatMap(({ parts }) => parts), attributes: { kind } }];
}
