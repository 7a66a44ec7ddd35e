import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { cellKey, compareCells, parentCell } from '@platen/geo/point-tree/cloud';
import type { JobContext } from '../../job-type.ts';
import { readPackedManifest, writePackedManifest } from '../../kit/packed-manifest.ts';
import { openScratchFile, readInto, type FileRange } from '../../kit/scratch-file.ts';
import type { CountedWarning } from '../../kit/warning-counter.ts';
import type { KnownSheet } from '../../raster-source/known-sheets.ts';
import type { Signature } from '../../raster-source/sign-units.ts';
import { latticeCellOf, latticeCorner, type LocalBox, type RootCube } from '../place/root-cube.ts';
import type { ReadSheet } from '../read-phase.ts';
import type { RecordColumns } from '../record-columns.ts';
import { packStatistics, unpackStatistics, type PointStatistics } from '../statistics.ts';
import type { HandedNode, MadeTile } from '../tasks.ts';
import type { MadeTree } from '../tree-phase.ts';

/** What a tileset was made of. The pieces of its file are the points of the nodes, then the statistics of the sheets. */
export interface PointManifest {
  readonly root: RootCube;
  readonly common: CommonSignatures;
  readonly sheets: readonly SheetRow[];
  /** What their headers say. */
  readonly known: readonly KnownSheet[];
  readonly nodes: readonly NodeRow[];
  /** In the order of the archive. */
  readonly tiles: readonly TileRow[];
}

/** What all tiles depend on besides their points. */
export interface CommonSignatures {
  /** Inputs that are no sheets. */
  readonly others: Signature;
  /** What points keep until they are tiles. */
  readonly columns: Signature;
  /** Colours and attributes that points have in tiles. */
  readonly attributes: Signature;
}

/** A sheet with everything that its points depend on. */
export interface SheetRow {
  readonly name: string;
  readonly identity: Signature;
  readonly box: LocalBox;
  readonly warnings: readonly CountedWarning[];
}

/** A cell of the frame; the root's is that of its lower half. */
type CellRow = readonly [level: number, x: number, y: number, z: number];

type NodeRow = readonly [
  ...CellRow,
  total: number,
  isLeaf: boolean,
  candidates: number,
  count: number,
  duplicates: number,
  uncoloured: number,
];

/** The box in units of the frame's lattice. */
type TileRow = readonly [...CellRow, part: number, count: number, hasContent: boolean, ...box: number[]];

/** A node or tile of the former run, by its cell of the frame. */
export type FormerNode = HandedNode;
export type FormerTile = Omit<MadeTile, 'content'> & { readonly hasContent: boolean };

export interface FormerPoints extends Pick<PointManifest, 'root' | 'common' | 'sheets' | 'known'> {
  /** From the root downwards. */
  readonly nodes: readonly FormerNode[];
  readonly tiles: readonly FormerTile[];
  /** Of the sheets. */
  readonly statistics: readonly FileRange[];
  readonly archive: string;
}

/** What the run has left whose datasource a job updates. @returns undefined if there is none */
export function readFormer(context: JobContext): FormerPoints | undefined {
  const read = readPackedManifest<PointManifest>(context);
  if (!read) return undefined;
  const { nodes, tiles, ...value } = read.value;
  return {
    ...value,
    nodes: nodes.map((row, i) => nodeOf(row, read.pieces[i]!)),
    tiles: tiles.map(tileOf),
    statistics: read.pieces.slice(nodes.length) as FileRange[],
    archive: context.former!.results[0]!.path,
  };
}

interface MadeOf extends Pick<PointManifest, 'root' | 'common' | 'sheets' | 'known'> {
  readonly tree: MadeTree;
  /** Of the sheets. */
  readonly statistics: readonly FileRange[];
  /** The children of nodes with more points are recorded. */
  readonly unitPoints: number;
}

/** Records what the tileset was made of, for the next update. @returns the name of the file in the output folder */
export function writeManifest(
  { tree, statistics, unitPoints, ...madeOf }: MadeOf,
  outputFolder: string,
  archive: string,
): string {
  const { root } = madeOf;
  const nodes = usedNodes(tree.nodes, unitPoints);
  const value: PointManifest = {
    ...madeOf,
    nodes: nodes.map((node) => nodeRow(node, root)),
    tiles: tree.tiles
      .toSorted((one, other) => compareCells(one.cell, other.cell) || one.part - other.part)
      .map((tile) => tileRow(tile, root)),
  };
  const name = `${archive}.manifest`;
  const pieces = [...nodes.map(({ range }) => range), ...statistics];
  writePackedManifest(join(outputFolder, name), { value, pieces });
  return name;
}

/** The root, and the children of nodes with many points: those below are made again if their parent is. */
function usedNodes(nodes: readonly HandedNode[], unitPoints: number): HandedNode[] {
  const totals = new Map(nodes.map(({ cell, total }) => [cellKey(cell), total]));
  return nodes
    .filter(({ cell }) => cell.level === 0 || totals.get(cellKey(parentCell(cell)))! > unitPoints)
    .toSorted((a, b) => compareCells(a.cell, b.cell));
}

function nodeOf(
  [level, x, y, z, total, isLeaf, candidates, count, duplicates, uncoloured]: NodeRow,
  range: FileRange,
): FormerNode {
  return { cell: { level, x, y, z }, total, isLeaf, candidates, count, duplicates, uncoloured, range };
}

function nodeRow(
  { cell, total, isLeaf, candidates, count, duplicates, uncoloured }: HandedNode,
  root: RootCube,
): NodeRow {
  const { level, x, y, z } = latticeCellOf(root, cell);
  return [level, x, y, z, total, isLeaf, candidates, count, duplicates, uncoloured];
}

const tileOf = ([level, x, y, z, part, count, hasContent, ...box]: TileRow): FormerTile => ({
  cell: { level, x, y, z },
  part,
  count,
  hasContent,
  box,
});

function tileRow({ cell, part, count, content, box }: MadeTile, root: RootCube): TileRow {
  const { level, x, y, z } = latticeCellOf(root, cell);
  const corner = latticeCorner(root);
  const inFrame = box.map((units, i) => units + corner[i % 3]!);
  return [level, x, y, z, part, count, content !== undefined, ...inFrame];
}

/** Writes the statistics of sheets, in the order given. */
export function writeStatistics(path: string, sheets: readonly ReadSheet[]): FileRange[] {
  const file = openScratchFile(path);
  const ranges = sheets.map(({ statistics }) => {
    const start = file.length;
    file.append(zstdCompressSync(packStatistics(statistics)));
    return { path, start, end: file.length };
  });
  file.flush();
  file.close();
  return ranges;
}

export function readStatistics(range: FileRange, columns: RecordColumns): PointStatistics {
  const bytes = new Uint8Array(range.end - range.start);
  readInto(bytes, 0, range);
  return unpackStatistics(new Float64Array(new Uint8Array(zstdDecompressSync(bytes)).buffer), columns);
}
