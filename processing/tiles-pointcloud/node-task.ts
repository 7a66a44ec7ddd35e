import { join } from 'node:path';
import { packMember } from '@platen/formats/zip/pack-member';
import {
  closeRoot,
  buildNode,
  joinChildren,
  type EmitTile,
  type OpenNode,
  type TreeBuilder,
} from '@platen/geo/point-tree/build-node';
import { concatenate, octantOf, type Cell, type Cloud, type TreeShape } from '@platen/geo/point-tree/cloud';
import { createScratchWords } from '@platen/geo/point-tree/scratch-words';
import { sortCloud, withoutDuplicates } from '@platen/geo/point-tree/sort-cloud';
import { createThinner } from '@platen/geo/point-tree/thin-node';
import { createWarningCounter } from '../kit/warning-counter.ts';
import { openScratchFile, readInto } from '../kit/scratch-file.ts';
import { latticeCorner, unitsPerMetre } from './place/root-cube.ts';
import { createColourer } from './colour/colour-points.ts';
import { measureDistances } from './compare/measure-distances.ts';
import type { Settings } from './settings.ts';
import type { BucketTask, HandedNode, MadeTile, NodeAnswer, RootAnswer, Setup } from './tasks.ts';
import { encodeTile, type TileEncoding } from './tile/encode-tile.ts';
import { packPoints, unpackPoints } from './tree/packed-rows.ts';
import { readRows } from './tree/read-rows.ts';
import { rowShapeOf } from './tree/row-shape.ts';

/** A leaf with more points than this, which lie too close to be divided, becomes several tiles. */
const maxTilePoints = 120_000;
/** Of the points per tile: a leaf with fewer has no tile of its own. */
const minTileShare = 1 / 15;

export interface NodeMaker {
  bucket(task: BucketTask): Promise<NodeAnswer>;
  join(cell: Cell, children: readonly HandedNode[]): NodeAnswer;
  root(node: HandedNode): RootAnswer;
  /** Closes the files that are open. */
  close(): Promise<void>;
}

type NodeCounts = Pick<HandedNode, 'duplicates' | 'uncoloured'>;

/** Of the points per tile: of nodes with more, the children are kept for updates. */
const unitShare = 8;

/** The points above which the children of a node are kept for updates. */
export const unitPointsOf = ({ pointsPerTile }: Settings): number => pointsPerTile * unitShare;

/** Makes parts of the tree, and tiles of them. */
export async function createNodeMaker(
  setup: Setup,
  tiles: Pick<TileEncoding, 'hasColours' | 'properties'>,
): Promise<NodeMaker> {
  const { settings, root, columns, folder, attempt, worker } = setup;
  const shape: TreeShape = {
    sideBits: root.sideBits,
    leafPoints: settings.pointsPerTile,
    minTilePoints: Math.floor(settings.pointsPerTile * minTileShare),
    maxSpacing: (settings.spacingMetres ?? Infinity) * unitsPerMetre,
    unitPoints: unitPointsOf(settings),
  };
  const encoding: TileEncoding = { root, columns, settings, ...tiles };
  const corner = latticeCorner(root);
  const thinner = createThinner(corner);
  const scratch = createScratchWords();
  const contents = openScratchFile(join(folder, `tiles-${attempt}-${worker}`));
  const handed = openScratchFile(join(folder, `nodes-${attempt}-${worker}`));
  let made: MadeTile[] = [];
  const warnings = createWarningCounter();
  const colourer = await createColourer(
    setup,
    settings.strict
      ? undefined
      : ({ name: file }, points) =>
          warnings.warn(
            'unreadableSheet',
            `Parts of ${file} are damaged: points there have no colour from it. Export the image again.`,
            { file },
            points,
          ),
  );
  let inner: HandedNode[] = [];

  const write = (cloud: Cloud, cell: Cell, points: Uint32Array, part: number): void => {
    if (points.length === 0) {
      made.push({ cell, part, count: 0, content: undefined, box: [] });
      return;
    }
    const { content, box } = encodeTile(cloud, points, encoding);
    const { bytes, packing, size, crc32 } = packMember('', content, settings.packing);
    const start = contents.length;
    contents.append(bytes);
    const range = { path: contents.path, start, end: contents.length };
    made.push({ cell, part, count: points.length, content: { packing, size, crc32, range }, box });
  };
  const emitTo =
    (cloud: Cloud): EmitTile =>
    (cell, points) => {
      const parts = Math.ceil(points.length / maxTilePoints);
      write(cloud, cell, points.subarray(0, Math.ceil(points.length / Math.max(1, parts))), 0);
      for (let part = 1; part < parts; part++) {
        const [from, to] = [part, part + 1].map((place) => Math.ceil((points.length * place) / parts));
        write(cloud, cell, points.subarray(from, to), part);
      }
    };
  const hand = (cloud: Cloud, node: OpenNode, counts: NodeCounts): HandedNode => {
    const { cell, total, isLeaf, candidates, joined } = node;
    const count = candidates.length + joined.length;
    const start = handed.length;
    handed.append(packPoints(cloud, closeRoot(node), corner));
    const range = { path: handed.path, start, end: handed.length };
    return { cell, total, isLeaf, candidates: candidates.length, count, range, ...counts };
  };
  const unpack = ({ range, count }: HandedNode): Cloud => {
    const bytes = new Uint8Array(range.end - range.start);
    readInto(bytes, 0, range);
    return unpackPoints(bytes, { count, columns: columns.count }, corner);
  };
  const answer = (node: HandedNode): NodeAnswer => {
    handed.flush();
    const below = inner;
    inner = [];
    const tiles = takeMade();
    return { kind: 'node', node, tiles, inner: below, warnings: warnings.take() };
  };
  const takeMade = (): MadeTile[] => {
    contents.flush();
    const taken = made;
    made = [];
    return taken;
  };
  const numbersFrom = (first: number, end: number): Uint32Array =>
    Uint32Array.from({ length: end - first }, (_, i) => first + i);
  const opened = (
    { cell, total, isLeaf, candidates }: HandedNode,
    first: number,
    count: number,
  ): OpenNode => ({
    cell,
    total,
    isLeaf,
    candidates: numbersFrom(first, first + candidates),
    joined: numbersFrom(first + candidates, first + count),
  });
  return {
    async bucket({ cell, ranges, older }) {
      const rows = readRows(ranges, rowShapeOf(cell, root.sideBits, columns.count), scratch);
      const sorted = sortCloud(rows, cell, { shape, scratch });
      const cloud = settings.dropDuplicates
        ? withoutDuplicates(sorted, scratch)
        : { ...sorted, dropped: new Uint32Array(0) };
      const uncoloured = (await colourer?.colour(cloud)) ?? new Uint32Array(0);
      if (columns.distance !== undefined)
        measureDistances(cloud, cloud.columns[columns.distance]!, {
          ranges: older,
          maxPoints: setup.olderPoints,
          maxMetres: settings.compareMetres!,
        });
      const builder: TreeBuilder = {
        shape,
        thinner,
        scratch,
        emit: emitTo(cloud),
        hand: (node, { start, end }) =>
          inner.push(
            hand(cloud, node, {
              duplicates: countBefore(cloud.dropped, end) - countBefore(cloud.dropped, start),
              uncoloured: countBefore(uncoloured, end) - countBefore(uncoloured, start),
            }),
          ),
      };
      const counts = { duplicates: cloud.dropped.length, uncoloured: uncoloured.length };
      return answer(hand(cloud, buildNode(builder, cloud, cell), counts));
    },
    join(cell, children) {
      const ordered = children.toSorted((a, b) => octantOf(a.cell) - octantOf(b.cell));
      const clouds = ordered.map(unpack);
      const cloud = concatenate(clouds, columns.count);
      let first = 0;
      const nodes = ordered.map((child, i) => {
        const node = opened(child, first, clouds[i]!.count);
        first += clouds[i]!.count;
        return node;
      });
      const joined = joinChildren({ shape, thinner, scratch, emit: emitTo(cloud) }, cloud, cell, nodes);
      const sumOf = (count: keyof NodeCounts): number =>
        children.reduce((sum, child) => sum + child[count], 0);
      return answer(
        hand(cloud, joined, { duplicates: sumOf('duplicates'), uncoloured: sumOf('uncoloured') }),
      );
    },
    root(node) {
      const cloud = unpack(node);
      emitTo(cloud)(node.cell, closeRoot(opened(node, 0, cloud.count)));
      return { kind: 'root', tiles: takeMade() };
    },
    async close() {
      contents.close();
      handed.close();
      await colourer?.close();
    },
  };
}

/** How many of ascending numbers are below a limit. */
function countBefore(numbers: Uint32Array, limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
