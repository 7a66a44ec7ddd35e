import { packMember, type PackedMember } from '@platen/formats/zip/pack-member';
import { writeTilesets, type TileNode } from '@platen/formats/tiles-3d/write-tilesets';
import { JobFailure, type JobContext } from '../job-type.ts';
import { openOutputSink, type OutputSinkFormat } from '../kit/output-sink.ts';
import { readInto, type FileRange } from '../kit/scratch-file.ts';
import { diagonalOf, unionOfRegions, type Region } from './region.ts';

export interface PackedContent {
  readonly range: FileRange;
  readonly packing: PackedMember['packing'];
  readonly size: number;
  readonly crc32: number;
}

/** A tile of a tree, by a name such as `5-17-22`. */
export interface TreeTile {
  readonly name: string;
  readonly children: readonly TreeTile[];
  /** What it encloses at least. */
  readonly region?: Region;
  /** Undefined: its children replace it. */
  readonly refine?: 'ADD' | 'REPLACE';
}

/** What a tile shows. */
export interface TreeContent {
  /** Undefined if nothing is drawn. */
  readonly content: PackedContent | undefined;
  /** In metres. */
  readonly error: number;
  readonly region: Region | undefined;
}

export interface TileTree {
  readonly root: TreeTile;
  readonly made: ReadonlyMap<string, TreeContent>;
  readonly version: '1.0' | '1.1';
  readonly format: OutputSinkFormat;
  readonly folder: string;
  /** What is written beside the tiles. */
  readonly others?: readonly PackedMember[];
}

/** Viewers load a tileset as a whole. */
const maxJsonBytes = 500_000;

/** Writes all tiles in the order of the tree, and the tileset of them. @returns its path, and what it covers */
export async function writeTileTree(
  tree: TileTree,
  { outputFolder, signal, progress }: JobContext,
): Promise<{ readonly path: string; readonly region: Region }> {
  const { root, made, version, format, folder, others = [] } = tree;
  const sink = openOutputSink({ format, name: 'tileset', outputFolder, scratchFolder: folder });
  let done = 0;
  try {
    for (const tile of inOrder(root)) {
      const content = made.get(tile.name)?.content;
      if (content !== undefined) {
        const { range, packing, size, crc32 } = content;
        const bytes = new Uint8Array(range.end - range.start);
        readInto(bytes, 0, range);
        sink.add({ name: contentPath(tile.name, version), packing, bytes, size, crc32 });
      }
      progress('write', ++done, made.size);
      if (done % 100 === 0) await new Promise((resolve) => setImmediate(resolve)); // lets an abort signal arrive
      signal.throwIfAborted();
    }
    const placed = nodeOf(root, tree);
    if (placed === undefined) throw new JobFailure('nothingUsable', 'There is nothing to show.');
    const files = writeTilesets(placed.node, {
      version,
      geometricError: Math.ceil(diagonalOf(placed.region)),
      // without it, VC Map ignores how colours of styles are mixed with those of tiles
      extras: { _3DTILESDIFFUSE: true },
      maxBytes: maxJsonBytes,
    });
    for (const member of others) sink.add(member);
    for (const { name, json } of files) sink.add(packMember(name, Buffer.from(json), 'deflate'));
    sink.finish();
    return { path: sink.path, region: placed.region };
  } catch (error) {
    sink.discard();
    throw error;
  }
}

const contentPath = (name: string, version: TileTree['version']): string =>
  `t/${name.replaceAll('-', '/')}.${version === '1.1' ? 'glb' : 'b3dm'}`;

function* inOrder(tile: TreeTile): Generator<TreeTile, void> {
  for (const child of tile.children) yield* inOrder(child);
  yield tile;
}

interface PlacedNode {
  readonly node: TileNode;
  readonly region: Region;
}

/** A tile encloses what its content shows, and all tiles below. Undefined if that is nothing. */
function nodeOf(tile: TreeTile, tree: TileTree): PlacedNode | undefined {
  const children = tile.children.flatMap((child) => nodeOf(child, tree) ?? []);
  const own = tree.made.get(tile.name);
  const regions = [
    ...[own?.region, tile.region].filter((region) => region !== undefined),
    ...children.map(({ region }) => region),
  ];
  if (own === undefined || regions.length === 0) return undefined;
  const region = unionOfRegions(regions);
  const node: TileNode = {
    region: inRadians(region),
    geometricError: own.error,
    uri: own.content === undefined ? undefined : contentPath(tile.name, tree.version),
    refine: tile.refine,
    children: children.map((child) => child.node),
  };
  return { node, region };
}

function inRadians([west, south, east, north, lowest, highest]: Region): number[] {
  // a tenth of a micrometre
  const radians = [west, south, east, north].map((degrees) =>
    Number(((degrees * Math.PI) / 180).toFixed(12)),
  );
  return [...radians, Number(lowest.toFixed(3)), Number(highest.toFixed(3))];
}
