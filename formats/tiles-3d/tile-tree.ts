import { identity, multiply, type Matrix } from '@platen/geo/geodesy/matrix';
import { asArray, asNumber, asObject, asText, type JsonObject } from '../json/read-values.ts';
import { parseAt } from '../json/scan-members.ts';
import { SourceError } from '../source/source.ts';
import { rootVolume, type TileExtent } from './bounding-volume.ts';
import { expandImplicit } from './implicit-tiles.ts';
import {
  countTile,
  findFile,
  type PlacedContent,
  type Position,
  type Surroundings,
  type TileOfTree,
  type TreeFiles,
  type UpAxis,
} from './tree-context.ts';
import { contentsOf, implicitTilingOf, readTileset, transformOf } from './tileset.ts';

export interface TileTree {
  readonly root: TileOfTree;
  readonly version: string | undefined;
  /** Where it is on earth, if it says so. */
  readonly extent: TileExtent | undefined;
  /** Paths of all tileset files that were read. */
  readonly files: ReadonlySet<string>;
  readonly tiles: number;
}

const deepestTileset = 100;

/** Reads a tileset with all external ones. Nothing outside of its files is read. @throws SourceError */
export async function readTileTree(path: string, files: TreeFiles): Promise<TileTree> {
  const seen = new Set<string>();
  const count = { tiles: 0 };
  let version: string | undefined;
  let extent: TileExtent | undefined;
  const readFile = async (file: string, position: Position, open: readonly string[]): Promise<TileOfTree> => {
    if (open.includes(file))
      throw new SourceError(
        'unsupported',
        `${file} contains itself as an external tileset, by way of ${open.at(-1)}: remove that reference`,
      );
    if (open.length >= deepestTileset)
      throw new SourceError(
        'unsupported',
        `external tilesets are nested deeper than ${deepestTileset} levels`,
      );
    seen.add(file);
    const tileset = readTileset(await parse(file, files));
    if (tileset?.root === undefined)
      throw new SourceError('brokenFile', `${file} is no tileset with a root tile`);
    if (open.length === 0) {
      ({ version } = tileset);
      extent = rootVolume(tileset.root)?.extent;
    }
    const surroundings: Surroundings = {
      files,
      folder: file.slice(0, file.lastIndexOf('/') + 1),
      upAxis: upAxisOf(tileset.gltfUpAxis),
      count,
    };
    return readTile(tileset.root, position, surroundings, (inner, at) =>
      readFile(inner, at, [...open, file]),
    );
  };
  const root = await readFile(path, { matrix: identity, refine: 'REPLACE', depth: 0 }, []);
  return { root, version, extent, files: seen, tiles: count.tiles };
}

async function parse(file: string, files: TreeFiles): Promise<unknown> {
  await files.takeTurn();
  const text = await files.read(file);
  if (text === undefined) throw new SourceError('brokenFile', `${file} is missing`);
  return parseAt(text, text[0] === 0xef ? 3 : 0, text.length);
}

function upAxisOf(name: string | undefined): UpAxis {
  const axis = name?.toLowerCase();
  return axis === 'x' || axis === 'z' ? axis : 'y';
}

type ReadExternal = (path: string, position: Position) => Promise<TileOfTree>;

async function readTile(
  tile: JsonObject,
  outer: Position,
  surroundings: Surroundings,
  readExternal: ReadExternal,
): Promise<TileOfTree> {
  const { files, folder, upAxis } = surroundings;
  const position = within(tile, outer);
  await countTile(surroundings, position);
  const base = { geometricError: errorOf(tile, position.matrix), refine: position.refine };
  const implicit = implicitTilingOf(tile);
  if (implicit !== undefined) {
    const from = { position, error: base.geometricError };
    return { ...base, ...(await expandImplicit(tile, implicit, from, surroundings)) };
  }
  const contents: PlacedContent[] = [];
  const children: TileOfTree[] = [];
  for (const uri of contentsOf(tile)) {
    const path = findFile(uri, folder, files);
    if (path === undefined) continue;
    if (isTilesetName(path) && (await isTileset(path, files)))
      children.push(await readExternal(path, { ...position, depth: position.depth + 1 }));
    else contents.push({ path, matrix: position.matrix, upAxis });
  }
  for (const child of asArray(tile['children']) ?? []) {
    const below = asObject(child);
    if (below === undefined) files.onNotice('brokenTile', `${folder}: a child that is no tile`);
    else
      children.push(
        await readTile(below, { ...position, depth: position.depth + 1 }, surroundings, readExternal),
      );
  }
  return { ...base, contents, children };
}

const isTilesetName = (path: string): boolean => /\.json$/i.test(path);

/** A glTF may end with .json, too. */
async function isTileset(path: string, files: TreeFiles): Promise<boolean> {
  const value = asObject(await parse(path, files));
  return (
    value === undefined || 'root' in value || !('scenes' in value || 'nodes' in value || 'buffers' in value)
  );
}

function within(tile: JsonObject, outer: Position): Position {
  const own = transformOf(tile);
  const refine = asText(tile['refine'])?.toUpperCase();
  return {
    matrix: own === undefined ? outer.matrix : multiply(outer.matrix, own),
    refine: refine === 'ADD' || refine === 'REPLACE' ? refine : outer.refine,
    depth: outer.depth,
  };
}

/** The largest scale of a transform holds for errors, too (OGC 22-025r4, 7.3.4). */
function errorOf(tile: JsonObject, m: Matrix): number {
  const scale = Math.max(...[0, 4, 8].map((at) => Math.hypot(m[at]!, m[at + 1]!, m[at + 2]!)));
  const error = Math.max(0, asNumber(tile['geometricError']) ?? 0) * scale;
  return Number.isFinite(error) ? error : 0;
}
