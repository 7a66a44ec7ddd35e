import type { FoundTileset } from '../../models/tilesets/find-tilesets.ts';
import type { PlacedContent, TileOfTree } from '@platen/formats/tiles-3d/tree-context';

/** A tile that stays what it is: its contents become one. */
export interface KeptTile {
  /** A number by thousands: `3-217`. */
  readonly name: string;
  readonly contents: readonly PlacedContent[];
  readonly error: number;
  readonly refine: TileOfTree['refine'];
  readonly children: readonly KeptTile[];
}

/** The name of the tile above several tilesets. */
export const mergedRoot = 'merged';

const perFolder = 1000;

/** The tiles of all tilesets, numbered from the top. */
export function keptTiles(tilesets: readonly FoundTileset[]): KeptTile[] {
  let count = 0;
  const keep = ({ geometricError, refine, contents, children }: TileOfTree): KeptTile => {
    const number = count++;
    return {
      name: `${Math.floor(number / perFolder)}-${number % perFolder}`,
      contents,
      error: geometricError,
      refine,
      children: children.map(keep),
    };
  };
  return tilesets.map(({ tree }) => keep(tree.root));
}

/** All tiles, those above before those below. */
export function* eachKeptTile(tile: KeptTile): Generator<KeptTile, void> {
  yield tile;
  for (const child of tile.children) yield* eachKeptTile(child);
}
