import { packMember } from '@platen/formats/zip/pack-member';
import { writeTilesets, type TileNode } from '@platen/formats/tiles-3d/write-tilesets';
import type { Property } from '@platen/formats/gltf/property-table';
import type { JobContext, JobResult } from '../job-type.ts';
import { openOutputSink } from '../kit/output-sink.ts';
import { readInto } from '../kit/scratch-file.ts';
import { diagonalOf } from './make-tiles.ts';
import type { UsedHeights } from './place/open-placing.ts';
import type { Settings } from './settings.ts';
import { unionOfRegions, type Region } from './shape/shape.ts';
import type { MadeTile } from './tasks.ts';
import type { PlannedTile } from './tree/plan-tree.ts';

export interface ObjectOutput {
  readonly settings: Settings;
  readonly root: PlannedTile;
  readonly made: ReadonlyMap<string, MadeTile>;
  readonly properties: readonly Property[];
  readonly featureCount: number;
  readonly heights: readonly UsedHeights[];
  readonly folder: string;
}

/** Viewers load a tileset as a whole. */
const maxJsonBytes = 500_000;

/** Puts the tileset together, and describes the datasource. */
export async function writeOutput(output: ObjectOutput, context: JobContext): Promise<JobResult> {
  const { settings, root, made, properties, featureCount, heights, folder } = output;
  const { outputFolder, signal, progress } = context;
  const sink = openOutputSink({
    format: settings.format,
    name: 'tileset',
    outputFolder,
    scratchFolder: folder,
  });
  const ending = settings.version === '1.1' ? 'glb' : 'b3dm';
  let [done, triangles] = [0, 0];
  try {
    for (const tile of inOrder(root)) {
      const { content, ...one } = made.get(tile.name)!;
      if (content !== undefined) {
        const bytes = new Uint8Array(content.range.end - content.range.start);
        readInto(bytes, 0, content.range);
        const { packing, size, crc32 } = content;
        sink.add({ name: contentPath(tile.name, ending), packing, bytes, size, crc32 });
      }
      if (tile.children.length === 0) triangles += one.triangles;
      progress('write', ++done, made.size);
      if (done % 100 === 0) await new Promise((resolve) => setImmediate(resolve)); // lets an abort signal arrive
      signal.throwIfAborted();
    }
    const tree = nodeOf(root, made, ending);
    const files = writeTilesets(tree.node, {
      version: settings.version,
      geometricError: Math.ceil(diagonalOf(tree.region)),
      // without it, VC Map ignores how colours of styles are mixed with those of tiles
      extras: { _3DTILESDIFFUSE: true },
      maxBytes: maxJsonBytes,
    });
    for (const { name, json } of files) sink.add(packMember(name, Buffer.from(json), 'deflate'));
    sink.finish();
    return resultOf(tree.region, {
      path: sink.path,
      properties: {
        featureCount,
        triangleCount: triangles,
        tileCount: made.size,
        fields: fieldsOf(properties),
        heights,
      },
    });
  } catch (error) {
    sink.discard();
    throw error;
  }
}

function resultOf(
  [west, south, east, north]: Region,
  { path, properties }: { readonly path: string; readonly properties: Record<string, unknown> },
): JobResult {
  return {
    datasource: { type: 'tileset', path, bbox: [west, south, east, north], typeProperties: {}, properties },
  };
}

const contentPath = (name: string, ending: string): string => `t/${name.replaceAll('-', '/')}.${ending}`;

function* inOrder(tile: PlannedTile): Generator<PlannedTile, void> {
  for (const child of tile.children) yield* inOrder(child);
  yield tile;
}

interface PlacedNode {
  readonly node: TileNode;
  readonly region: Region;
}

/** A tile encloses what its content shows, and all tiles below. */
function nodeOf(tile: PlannedTile, made: ReadonlyMap<string, MadeTile>, ending: string): PlacedNode {
  const children = tile.children.map((child) => nodeOf(child, made, ending));
  const { content, error, region: own } = made.get(tile.name)!;
  const regions = [...(own === undefined ? [] : [own]), ...children.map(({ region }) => region)];
  const region = regions.reduce(unionOfRegions, tile.region);
  const node: TileNode = {
    region: inRadians(region),
    geometricError: error,
    uri: content === undefined ? undefined : contentPath(tile.name, ending),
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

const fieldTypes = { STRING: 'string', BOOLEAN: 'boolean', INT32: 'integer', FLOAT64: 'number' } as const;

function fieldsOf(properties: readonly Property[]): { readonly name: string; readonly type: string }[] {
  return properties.map(({ name, type }) => ({ name, type: fieldTypes[type] }));
}
