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
import { sortCloud, withoutDuplicates } from '@platen/geo/point-tree/sort-cloud';
import { createThinner } from '@platen/geo/point-tree/thin-node';
import { createWarningCounter } from '../kit/warning-counter.ts';
import { openScratchFile } from '../kit/scratch-file.ts';
import { latticeCorner } from './place/root-cube.ts';
import { createColourer } from './colour/colour-points.ts';
import { measureDistances } from './compare/measure-distances.ts';
import type { BucketTask, HandedNode, MadeTile, NodeAnswer, RootAnswer, Setup } from './tasks.ts';
import { encodeTile, type TileEncoding } from './tile/encode-tile.ts';
import { readRows, rowsFrom } from './tree/read-rows.ts';

/** A leaf with more points than this, which lie too close to be divided, becomes several tiles. */
const maxTilePoints = 120_000;
/** Of the points per tile: a leaf with fewer has no tile of its own. */
const minTileShare = 1 / 15;

export interface NodeMaker {
  bucket(task: BucketTask): Promise<NodeAnswer>;
  join(cell: Cell, children: readonly HandedNode[]): NodeAnswer;
  root(node: HandedNode): RootAnswer;
}

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
  };
  const encoding: TileEncoding = { root, columns, settings, ...tiles };
  const thinner = createThinner(latticeCorner(root));
  const contents = openScratchFile(join(folder, `tiles-${attempt}-${worker}`));
  const handed = openScratchFile(join(folder, `nodes-${attempt}-${worker}`));
  let made: MadeTile[] = [];
  const warnings = createWarningCounter();
  const colourer = await createColourer(
    setup,
    settings.strict
      ? undefined
      : ({ name: file }, { message }) => warnings.warn('unreadableSheet', message, { file }),
  );

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
  const builderFor = (cloud: Cloud): TreeBuilder => ({ shape, thinner, emit: emitTo(cloud) });
  const hand = (cloud: Cloud, { cell, total, isLeaf, candidates, joined }: OpenNode): HandedNode => {
    const start = handed.length;
    handed.append(rowsFrom(cloud, candidates));
    handed.append(rowsFrom(cloud, joined));
    const range = { path: handed.path, start, end: handed.length };
    return { cell, total, isLeaf, candidates: candidates.length, range };
  };
  const answer = (node: HandedNode, { duplicates = 0, uncoloured = 0 } = {}): NodeAnswer => {
    handed.flush();
    const tiles = takeMade();
    return { kind: 'node', node, tiles, duplicates, uncoloured, warnings: warnings.take() };
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
      const sorted = sortCloud(readRows(ranges, columns.count), cell, shape);
      const cloud = settings.dropDuplicates ? withoutDuplicates(sorted) : sorted;
      const uncoloured = (await colourer?.colour(cloud)) ?? 0;
      if (columns.distance !== undefined)
        measureDistances(cloud, cloud.columns[columns.distance]!, {
          ranges: older,
          maxPoints: setup.olderPoints,
          maxMetres: settings.compareMetres!,
        });
      const node = hand(cloud, buildNode(builderFor(cloud), cloud, cell));
      return answer(node, { duplicates: sorted.count - cloud.count, uncoloured });
    },
    join(cell, children) {
      const ordered = children.toSorted((a, b) => octantOf(a.cell) - octantOf(b.cell));
      const clouds = ordered.map(({ range }) => readRows([range], columns.count));
      const cloud = concatenate(clouds, columns.count);
      let first = 0;
      const nodes = ordered.map((child, i) => {
        const node = opened(child, first, clouds[i]!.count);
        first += clouds[i]!.count;
        return node;
      });
      return answer(hand(cloud, joinChildren(builderFor(cloud), cloud, cell, nodes)));
    },
    root(node) {
      const cloud = readRows([node.range], columns.count);
      emitTo(cloud)(node.cell, closeRoot(opened(node, 0, cloud.count)));
      return { kind: 'root', tiles: takeMade() };
    },
  };
}
