import type { PlacedContent, TileOfTree } from '@platen/formats/tiles-3d/tree-context';
import type { UnpackedFile } from './find-tilesets.ts';

/** The contents that show a tileset as finely as it can be: those that nothing replaces. */
export function* finestContents({ refine, contents, children }: TileOfTree): Generator<PlacedContent, void> {
  if (refine === 'ADD' || children.length === 0) yield* contents;
  for (const child of children) yield* finestContents(child);
}

/** A content as a model that knows its place. */
export function tileFileOf(
  { path, matrix, upAxis }: PlacedContent,
  files: ReadonlyMap<string, UnpackedFile>,
) {
  const file = files.get(path)!;
  return {
    path: file.path,
    name: file.name,
    size: file.size,
    mesh: 'tile',
    crs: 'EPSG:4978',
    tile: { matrix, upAxis },
  } as const;
}
