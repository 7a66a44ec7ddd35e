import type { Matrix } from '@platen/geo/geodesy/matrix';
import { SourceError } from '../source/source.ts';
import { pathWithin } from './path-within.ts';

/** What y and z of the glTF in tiles are: 3D Tiles 1.0 turns y upwards, drafts may say otherwise. */
export type UpAxis = 'x' | 'y' | 'z';

/** A content with triangles or points, and what moves it to its place. Plain data. */
export interface PlacedContent {
  /** Its path among the files of the tileset. */
  readonly path: string;
  /** From the axes of the tile, z upwards, to those of the tileset, which are EPSG:4978 for one on earth. */
  readonly matrix: Matrix;
  readonly upAxis: UpAxis;
}

/** A tile with those of external tilesets and implicit ones among its children. */
export interface TileOfTree {
  /** In metres, as transforms scale it. */
  readonly geometricError: number;
  readonly refine: 'ADD' | 'REPLACE';
  readonly contents: readonly PlacedContent[];
  readonly children: readonly TileOfTree[];
}

/** What is left out, and why. */
export type TreeNotice = 'missingFile' | 'outsideReference' | 'brokenTile';

export interface TreeFiles {
  /** The content of a file, unpacked; undefined if there is none. @throws SourceError, BytesError */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  /** Whether there is a file. */
  readonly has: (path: string) => boolean;
  readonly onNotice: (notice: TreeNotice, detail: string) => void;
  /** Is awaited now and then, and may end the reading by an error. */
  readonly takeTurn: () => Promise<void>;
}

/** Tiles of a tree; more do not fit into memory. */
export const maxTreeTiles = 2_000_000;
const deepestTile = 500;

export interface Surroundings {
  readonly files: TreeFiles;
  /** Folder of the tileset file, ending with /, or empty. */
  readonly folder: string;
  readonly upAxis: UpAxis;
  readonly count: { tiles: number };
}

/** Where a tile is within its tree. */
export interface Position {
  readonly matrix: Matrix;
  readonly refine: TileOfTree['refine'];
  readonly depth: number;
}

/** Tiles that are read between two turns. */
const tilesPerTurn = 1000;

export async function countTile({ count, files }: Surroundings, { depth }: Position): Promise<void> {
  if (++count.tiles > maxTreeTiles)
    throw new SourceError(
      'unsupported',
      `it has more than ${maxTreeTiles} tiles: divide it into several tilesets`,
    );
  if (depth > deepestTile)
    throw new SourceError('unsupported', `its tiles are nested deeper than ${deepestTile} levels`);
  if (count.tiles % tilesPerTurn === 0) await files.takeTurn();
}

/** The path of a file of the tileset; undefined, with a notice, if it is elsewhere or missing. */
export function findFile(uri: string, folder: string, files: TreeFiles): string | undefined {
  const path = pathWithin(folder, uri);
  if (path !== undefined && files.has(path)) return path;
  files.onNotice(path === undefined ? 'outsideReference' : 'missingFile', (path ?? uri).slice(0, 200));
  return undefined;
}
