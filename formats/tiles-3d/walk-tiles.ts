import { identity, multiply, type Matrix } from '@platen/geo/geodesy/matrix';
import { asArray, asObject, asText, type JsonObject } from '../json/read-values.ts';
import { contentsOf, implicitTilingOf, transformOf, type ImplicitTiling } from './tileset.ts';

/** Statistics of the tiles in one tileset.json. */
export interface TileWalk {
  tiles: number;
  deepest: number;
  readonly refinements: Set<string>;
  contents: number;
  /** Contents from all over the tree, those of the first levels first. */
  readonly sample: SampledContent[];
  readonly implicit: ImplicitTiling[];
  /** Invalid children, and tiles without a bounding volume. */
  broken: number;
  isCutOff: boolean;
}

export interface SampledContent {
  readonly uri: string;
  /** Level of its tile, starting at 1. */
  readonly level: number;
  /** Transform to world coordinates. */
  readonly matrix: Matrix;
}

interface OpenTile {
  readonly tile: JsonObject;
  readonly matrix: Matrix;
}

const maxTiles = 500_000;
const maxSampled = 2000;

/**
 * Breadth first, so that a sample has tiles of all levels; without recursion, as a tileset may be as deep as it likes.
 */
export function walkTiles(root: JsonObject): TileWalk {
  const walk: TileWalk = {
    tiles: 0,
    deepest: 0,
    refinements: new Set(),
    contents: 0,
    sample: [],
    implicit: [],
    broken: 0,
    isCutOff: false,
  };
  let level: OpenTile[] = [{ tile: root, matrix: transformOf(root) ?? identity }];
  while (level.length > 0) {
    walk.deepest++;
    const next: OpenTile[] = [];
    for (const { tile, matrix } of level) {
      walk.tiles++;
      takeTile(walk, tile, matrix);
      for (const child of asArray(tile['children']) ?? []) {
        const below = asObject(child);
        if (below === undefined) walk.broken++;
        else if (walk.tiles + next.length < maxTiles)
          next.push({ tile: below, matrix: matrixOf(below, matrix) });
        else walk.isCutOff = true;
      }
    }
    level = next;
  }
  return walk;
}

function matrixOf(tile: JsonObject, outer: Matrix): Matrix {
  const own = transformOf(tile);
  return own === undefined ? outer : multiply(outer, own);
}

function takeTile(walk: TileWalk, tile: JsonObject, matrix: Matrix): void {
  if (asObject(tile['boundingVolume']) === undefined) walk.broken++;
  const refine = asText(tile['refine'])?.toUpperCase();
  if (refine === 'ADD' || refine === 'REPLACE') walk.refinements.add(refine);
  const contents = contentsOf(tile);
  const implicit = implicitTilingOf(tile);
  if (implicit !== undefined && walk.implicit.length < 10) walk.implicit.push(implicit);
  walk.contents += contents.length;
  for (const uri of contents) {
    const sampled = { uri, level: walk.deepest, matrix };
    // the first half stays; the rest samples all later tiles
    const at =
      walk.sample.length < maxSampled ? walk.sample.length : Math.imul(walk.contents, 0x9e3779b1) >>> 0;
    if (at < maxSampled) walk.sample.push(sampled);
    else if (at % walk.contents < maxSampled / 2)
      walk.sample[maxSampled / 2 + (at % walk.contents)] = sampled;
  }
}
