import { latticeCellOf, type RootCube } from '../place/root-cube.ts';
import type { Settings } from '../settings.ts';
import type { MadeTile } from '../tasks.ts';

/** What names of tiles depend on. */
export interface Naming {
  readonly root: RootCube;
  readonly settings: Settings;
}

/** The same for the same cell of the frame, whatever the root. */
export function keyOf({ cell, part }: Pick<MadeTile, 'cell' | 'part'>, root: RootCube): string {
  const { level, x, y, z } = latticeCellOf(root, cell);
  return [level, x, y, z, ...(part > 0 ? [part] : [])].join('-');
}

export const contentPath = (
  tile: Pick<MadeTile, 'cell' | 'part'>,
  { root, settings: { encoding } }: Naming,
): string => `t/${keyOf(tile, root)}.${encoding}`;
