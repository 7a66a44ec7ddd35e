import { packMember } from '@platen/formats/zip/pack-member';
import { writePointTilesets, type PointTileNode } from '@platen/formats/tiles-3d/write-point-tilesets';
import { cellKey, compareCells, parentCell, spacingOf, voxelBits } from '@platen/geo/point-tree/cloud';
import type { LocalFrame } from '@platen/geo/geodesy/local-frame';
import type { JobContext, JobResult } from '../job-type.ts';
import type { UsedHeights } from '../models/used-heights.ts';
import { noNumber } from './attributes.ts';
import { openOutputSink } from '../kit/output-sink.ts';
import { readInto } from '../kit/scratch-file.ts';
import { unitsPerMetre, type RootCube } from './place/root-cube.ts';
import { pointStyles } from './point-styles.ts';
import type { Rise } from './place/raise-cloud.ts';
import type { Settings } from './settings.ts';
import type { PointSheet } from './sheets/sheet.ts';
import type { PointStatistics } from './statistics.ts';
import type { MadeTile } from './tasks.ts';
import { clipExtent } from './place/box-filter.ts';
import { heightAt } from './tile/point-heights.ts';
import { contentPath, keyOf, type Naming } from './tile/tile-names.ts';
import type { TileProperty } from './tile/tile-properties.ts';
import type { MadeTree } from './tree-phase.ts';

export interface PointOutput {
  readonly settings: Settings;
  readonly root: RootCube;
  readonly sheets: readonly PointSheet[];
  readonly tree: MadeTree;
  readonly statistics: PointStatistics;
  readonly properties: readonly TileProperty[];
  readonly hasColours: boolean;
  readonly heights: readonly UsedHeights[];
  /** Of the cloud as a whole. */
  readonly rise: Rise | undefined;
  readonly folder: string;
}

/** Puts the tileset together, and describes the datasource. The order of its files does not depend on threads. */
export async function writeOutput(output: PointOutput, context: JobContext): Promise<JobResult> {
  const { settings, root, tree, folder } = output;
  const { outputFolder, signal, progress } = context;
  const sink = openOutputSink({
    format: settings.format,
    name: 'tileset',
    outputFolder,
    scratchFolder: folder,
  });
  const tiles = tree.tiles.toSorted((a, b) => compareCells(a.cell, b.cell) || a.part - b.part);
  // of all tiles, as each is written at once
  const maxBytes = tiles.reduce((max, { content }) => Math.max(max, sizeOf(content)), 0);
  const memory = new Uint8Array(maxBytes);
  try {
    for (const [i, tile] of tiles.entries()) {
      if (tile.content !== undefined) {
        const { range, packing, size, crc32 } = tile.content;
        const bytes = memory.subarray(0, sizeOf(tile.content));
        readInto(bytes, 0, range);
        sink.add({ name: contentPath(tile, output), packing, bytes, size, crc32 });
      }
      if (i % 100 !== 99) continue;
      progress('write', i + 1, tiles.length);
      await new Promise((resolve) => setImmediate(resolve)); // lets an abort signal arrive
      signal.throwIfAborted();
    }
    const files = writePointTilesets(nodesOf(tiles, output), {
      version: settings.encoding === 'glb' ? '1.1' : '1.0',
      transform: transformOf(root.frame, output.rise),
      geometricError: 2 ** root.sideBits / unitsPerMetre,
      extras: extrasOf(output),
    });
    for (const { name, json } of files) sink.add(packMember(name, Buffer.from(json), 'deflate'));
    sink.finish();
    progress('write', tiles.length, tiles.length);
    return resultOf(output, { path: sink.path, tiles });
  } catch (error) {
    sink.discard();
    throw error;
  }
}

/** Bytes as they lie in a file. */
const sizeOf = (content: MadeTile['content']): number =>
  content === undefined ? 0 : content.range.end - content.range.start;

/** The error of a tile in times the distance of its points. */
const errorSpacings = 6;

/** The tree of tiles: further parts of a tile hang below its first. */
function nodesOf(tiles: readonly MadeTile[], naming: Naming): PointTileNode {
  const { root } = naming;
  const children = new Map<string, MadeTile[]>();
  const firsts = new Map<string, MadeTile>();
  for (const tile of tiles) {
    if (tile.part === 0) firsts.set(cellKey(tile.cell), tile);
    const owner = tile.part > 0 ? tile.cell : parentCell(tile.cell);
    if (tile.part === 0 && tile.cell.level === 0) continue;
    const key = cellKey(owner);
    const own = children.get(key);
    if (own) own.push(tile);
    else children.set(key, [tile]);
  }
  const build = (tile: MadeTile): PointTileNode => {
    const { cell, part, content, box } = tile;
    const below = part > 0 ? [] : (children.get(cellKey(cell)) ?? []).map(build);
    const boxes = [...(content === undefined ? [] : [inMetres(box, root)]), ...below.map((node) => node.box)];
    // a tile without points shows nothing: viewers have to look below it as long as it is larger than a few pixels
    const spacings = content === undefined ? 2 ** voxelBits : errorSpacings;
    const error = (spacingOf(root, cell.level) / unitsPerMetre) * spacings;
    return {
      level: cell.level,
      key: keyOf(tile, root),
      box: boxes.reduce(unionOf),
      geometricError: part > 0 ? error / 2 : error,
      uri: content === undefined ? undefined : contentPath(tile, naming),
      children: below,
    };
  };
  return build(firsts.get('0/0/0/0')!);
}

function inMetres(box: readonly number[], { corner }: RootCube): number[] {
  return box.map((units, i) => corner[i % 3]! + units / unitsPerMetre);
}

/** Metres above the ellipsoid of the lowest and the highest point, as far as boxes of tiles show it. */
function heightRangeOf(tiles: readonly MadeTile[], root: RootCube): [number, number] {
  const boxes = tiles.filter(({ content }) => content !== undefined).map(({ box }) => box);
  const [x, y] = [0, 1].map((axis) => (boxes[0]![axis]! + boxes[0]![axis + 3]!) / 2);
  const at = (z: number): number => heightAt(root, [x!, y!, z]);
  return [
    at(boxes.reduce((low, box) => Math.min(low, box[2]!), Infinity)),
    at(boxes.reduce((high, box) => Math.max(high, box[5]!), -Infinity)),
  ];
}

function unionOf(one: readonly number[], other: readonly number[]): readonly number[] {
  return one.map((value, i) => (i < 3 ? Math.min(value, other[i]!) : Math.max(value, other[i]!)));
}

function transformOf({ east, north, up, origin }: LocalFrame, rise: Rise | undefined): number[] {
  const moved = origin.map((metres, axis) => metres + (rise?.vector[axis] ?? 0));
  return [...east, 0, ...north, 0, ...up, 0, ...moved, 1];
}

/** `movedBy`: what a comparison with this tileset has to undo. */
function extrasOf({ properties, rise }: PointOutput): object {
  const time = properties.find(({ attribute }) => attribute === 'gpsTime');
  return {
    ...(time !== undefined && { gpsTimeOrigin: time.origin }),
    ...(rise !== undefined && { movedBy: rise.vector }),
  };
}

/** Points grow on the screen until there are no holes between them, and hide those behind. */
const shading = {
  attenuation: true,
  maximumAttenuation: 5,
  geometricErrorScale: 0.5,
  eyeDomeLighting: true,
};

function resultOf(
  { settings, root, sheets, tree, statistics, properties, hasColours, heights, rise }: PointOutput,
  { path, tiles }: { readonly path: string; readonly tiles: readonly MadeTile[] },
): JobResult {
  const heightRange = heightRangeOf(tiles, root);
  const styles = pointStyles(statistics, properties, { heights: heightRange, hasColours });
  const boxes = sheets.map(({ box }) => box);
  const edge = (index: 0 | 1 | 2 | 3): number =>
    boxes.map((box) => box[index]).reduce((a, b) => (index < 2 ? Math.min(a, b) : Math.max(a, b)));
  return {
    datasource: {
      type: 'tileset',
      path,
      bbox: [...clipExtent([edge(0), edge(1), edge(2), edge(3)], settings.box)],
      typeProperties: {
        pointCloud: true,
        tilesetOptions: { pointCloudShading: shading },
      },
      properties: {
        pointCount: tiles.reduce((sum, { count }) => sum + count, 0),
        tileCount: tiles.length,
        duplicates: tree.duplicates,
        filtered: statistics.filtered,
        outside: statistics.outside,
        ...(settings.colour && { uncoloured: tree.uncoloured }),
        fields: properties.map(({ name, extra }) => ({
          name,
          type: 'number',
          ...(extra && { title: extra.name, ...(extra.mayBeMissing && { noData: noNumber }) }),
        })),
        heights,
        heightRange: heightRange.map((metres) => metres + (rise?.metres ?? 0)),
        // the attribute HEIGHT counts from before
        ...(rise && { raisedBy: rise.metres }),
        ...(styles.length > 0 && settings.encoding === 'pnts' && { styles }),
      },
    },
  };
}
