import { asIndex, type JsonObject } from '../json/read-values.ts';
import { SourceError } from '../source/source.ts';
import { pathWithin } from './path-within.ts';
import { readSubtree, type Subtree } from './read-subtree.ts';
import {
  countTile,
  findFile,
  type PlacedContent,
  type Position,
  type Surroundings,
  type TileOfTree,
} from './tree-context.ts';
import { contentsOf, type ImplicitTiling } from './tileset.ts';

interface Cell {
  readonly level: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

interface Implicit {
  readonly branches: 4 | 8;
  readonly subtreeLevels: number;
  readonly levels: number;
  readonly subtrees: string;
  readonly contents: readonly string[];
  /** Of the root; each level below has half as much. */
  readonly error: number;
  readonly position: Position;
  readonly surroundings: Surroundings;
}

const maxLevels = 40;
const maxSubtreeLevels = 12;

/** Tiles of an implicit tiling as explicit ones (OGC 22-025r4, 8). @throws SourceError */
export async function expandImplicit(
  tile: JsonObject,
  { subdivisionScheme, subtreeLevels, availableLevels, subtrees }: ImplicitTiling,
  { position, error }: Pick<Implicit, 'position' | 'error'>,
  surroundings: Surroundings,
): Promise<Pick<TileOfTree, 'contents' | 'children'>> {
  const refused = (what: string): SourceError =>
    new SourceError('brokenFile', `its implicit tiling has ${what}`);
  const levels = asIndex(availableLevels);
  const perSubtree = asIndex(subtreeLevels);
  if (!/^(?:QUADTREE|OCTREE)$/.test(subdivisionScheme))
    throw refused(`the unknown scheme ${subdivisionScheme}`);
  if (levels === undefined || levels > maxLevels) throw refused(`no number of levels up to ${maxLevels}`);
  if (perSubtree === undefined || perSubtree < 1 || perSubtree > maxSubtreeLevels)
    throw refused(`no number of levels of a subtree from 1 to ${maxSubtreeLevels}`);
  if (subtrees === undefined) throw refused('no subtrees');
  const own: Implicit = {
    branches: subdivisionScheme === 'OCTREE' ? 8 : 4,
    subtreeLevels: perSubtree,
    levels,
    subtrees,
    contents: contentsOf(tile),
    error,
    position,
    surroundings,
  };
  const root = await expandSubtree(own, { level: 0, x: 0, y: 0, z: 0 });
  return { contents: root?.contents ?? [], children: root?.children ?? [] };
}

const fill = (template: string, { level, x, y, z }: Cell): string =>
  template
    .replaceAll('{level}', String(level))
    .replaceAll('{x}', String(x))
    .replaceAll('{y}', String(y))
    .replaceAll('{z}', String(z));

/** The tiles of a subtree, and of those below; undefined without any. */
async function expandSubtree(own: Implicit, root: Cell): Promise<TileOfTree | undefined> {
  const { files, folder } = own.surroundings;
  const path = findFile(fill(own.subtrees, root), folder, files);
  const bytes = path === undefined ? undefined : await files.read(path);
  if (path === undefined || bytes === undefined) return undefined;
  const subtreeFolder = path.slice(0, path.lastIndexOf('/') + 1);
  const subtree = await readSubtree(bytes, async (uri) => {
    const buffer = pathWithin(subtreeFolder, uri);
    return buffer === undefined ? undefined : files.read(buffer);
  });
  return expandTile(own, subtree, { cell: root, level: 0, morton: 0 });
}

interface InSubtree {
  readonly cell: Cell;
  /** Levels below the root of the subtree. */
  readonly level: number;
  /** Its number within the level. */
  readonly morton: number;
}

async function expandTile(own: Implicit, subtree: Subtree, at: InSubtree): Promise<TileOfTree | undefined> {
  const { branches, subtreeLevels, levels, position, surroundings, error } = own;
  const { cell, level, morton } = at;
  // all tiles of the levels above come first
  const index = (branches ** level - 1) / (branches - 1) + morton;
  if (!subtree.hasTile(index)) return undefined;
  if (cell.level > 0) await countTile(surroundings, { ...position, depth: position.depth + cell.level });
  const children: TileOfTree[] = [];
  for (let child = 0; child < branches && cell.level + 1 < levels; child++) {
    const below: InSubtree = {
      cell: childOf(cell, child),
      level: level + 1,
      morton: morton * branches + child,
    };
    const tile =
      level + 1 < subtreeLevels
        ? await expandTile(own, subtree, below)
        : subtree.hasChild(below.morton)
          ? await expandSubtree(own, below.cell)
          : undefined;
    if (tile !== undefined) children.push(tile);
  }
  return {
    geometricError: error / 2 ** cell.level,
    refine: position.refine,
    contents: contentsAt(own, subtree, cell, index),
    children,
  };
}

const childOf = ({ level, x, y, z }: Cell, child: number): Cell => ({
  level: level + 1,
  x: x * 2 + (child & 1),
  y: y * 2 + ((child >> 1) & 1),
  z: z * 2 + (child >> 2),
});

function contentsAt(
  { contents, position, surroundings }: Implicit,
  { hasContent }: Subtree,
  cell: Cell,
  index: number,
): PlacedContent[] {
  const { files, folder, upAxis } = surroundings;
  return contents.flatMap((template, i) => {
    if (hasContent[i]?.(index) !== true) return [];
    const path = findFile(fill(template, cell), folder, files);
    return path === undefined ? [] : [{ path, matrix: position.matrix, upAxis }];
  });
}
