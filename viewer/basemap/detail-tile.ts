import { frameOf } from './frame.ts';
import { areasIn, linesIn, margin } from './line-tiles.ts';
import { encodeTile, tileExtent, type TileFeature } from './mvt-tile.ts';
import type { TilePlace } from './tile-picture.ts';
import type { WorldOutlines } from './world-outlines.ts';
import type { WorldWaters } from './world-waters.ts';

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
 * Encodes one tile of the world in detail. Map viewers draw features of a tile in their order only while these are
 * nine at most, so that each kind is one feature.
 */
export function detailTile(world: WorldOutlines & WorldWaters, { z, x, y }: TilePlace): Uint8Array {
  const frame = frameOf({ z, x, y, size: tileExtent, margin });
  const features: TileFeature[] = [
    { type: 'polygon', parts: wholeTile, attributes: { kind: 'water' } },
    ...asOne('land', areasIn(frame, world.land)),
    ...asOne('ice', areasIn(frame, world.ice)),
    ...asOne(
      'stream',
      linesIn(
        frame,
        world.rivers.filter(({ isMain }) => !isMain),
      ),
    ),
    ...asOne(
      'river',
      linesIn(
        frame,
        world.rivers.filter(({ isMain }) => isMain),
      ),
    ),
    ...asOne('water', areasIn(frame, world.lakes)),
    ...asOne('border', linesIn(frame, world.borders)),
    ...asOne('coast', linesIn(frame, [...world.coasts, ...world.lakes])),
  ];
  return encodeTile({ world: features });
}

function asOne(kind: string, features: readonly TileFeature[]): TileFeature[] {
  const [first] = features;
  if (first === undefined) return [];
  return [{ type: first.type, parts: features.flatMap(({ parts }) => parts), attributes: { kind } }];
}
