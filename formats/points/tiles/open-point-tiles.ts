import { identity, type Matrix } from '@platen/geo/geodesy/matrix';
import { BytesError } from '../../bytes/bytes.ts';
import { asNumbers, asObject } from '../../json/read-values.ts';
import { parseAt } from '../../json/scan-members.ts';
import type { UnpackView } from '../../mesh/read-accessor.ts';
import { SourceError } from '../../source/source.ts';
import { readPointPlaces } from '../../tiles-3d/read-point-places.ts';
import { readTileTree } from '../../tiles-3d/tile-tree.ts';
import type { TileOfTree } from '../../tiles-3d/tree-context.ts';
import { readTileset, transformOf } from '../../tiles-3d/tileset.ts';
import type { Place, PointFile } from '../point-file.ts';

/** The files of a tileset: those of a folder, or members of an archive. */
export interface TilesetFiles {
  /** Unpacked; undefined if there is none. @throws BytesError, SourceError where it is damaged */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  /** The size unpacked; undefined if there is none. */
  readonly sizeOf: (path: string) => number | undefined;
}

interface TilesetReading {
  readonly unpack: UnpackView;
  /** What opening the same tileset before has found. */
  readonly scan?: unknown;
}

/** Plain data. */
interface TilesetScan {
  /** Paths of contents with points. */
  readonly contents: readonly string[];
  readonly partPoints: readonly number[];
  readonly min: Place;
  readonly max: Place;
  readonly matrix: Matrix;
}

const rootPath = 'tileset.json';
/** Tiles that are read to learn how many bytes a point takes. */
const maxSamples = 8;

/**
 * The places of the points of a tileset of points, in the axes of its root: a part is a tile. The numbers of points are estimated from the sizes of
 * tiles. @throws BytesError if it is none, or its tiles have transforms of their own
 */
export async function openPointTiles(
  files: TilesetFiles,
  { unpack, scan: known }: TilesetReading,
): Promise<PointFile> {
  const placesOf = async (path: string): Promise<Float64Array> => {
    const content = await files.read(path);
    if (content === undefined) throw new BytesError(`${path} is missing`);
    return readPointPlaces(content, unpack);
  };
  const scan = (known as TilesetScan | undefined) ?? (await asBytesError(() => scanTileset(files, placesOf)));
  const { contents, partPoints, min, max, matrix } = scan;
  return {
    min,
    max,
    matrix,
    partPoints,
    scan,
    crs: 'EPSG:4978',
    vertical: undefined,
    hasColours: false,
    hasTimes: false,
    notes: [],
    brightest: async () => undefined,
    async readPart(part) {
      const places = await asBytesError(() => placesOf(contents[part]!));
      return { ...onlyPlaces, count: places.length / 3, places };
    },
  };
}

const onlyPlaces = {
  intensities: undefined,
  classes: undefined,
  returns: undefined,
  colours: undefined,
  gpsTimes: undefined,
  sources: undefined,
  userData: undefined,
  scanAngles: undefined,
  infrared: undefined,
} as const;

async function scanTileset(
  files: TilesetFiles,
  placesOf: (path: string) => Promise<Float64Array>,
): Promise<TilesetScan> {
  const text = await files.read(rootPath);
  const top = text && parseAt(text, 0, text.length);
  const root = readTileset(top)?.root;
  const volume = asNumbers(asObject(root?.['boundingVolume'])?.['box'], 12);
  if (root === undefined || volume === undefined) throw new BytesError('its root has no box');
  const { root: tree } = await readTileTree(rootPath, {
    read: files.read,
    has: (path) => files.sizeOf(path) !== undefined,
    onNotice(_notice, detail) {
      throw new BytesError(`${detail} is missing`);
    },
    takeTurn: () => new Promise((resolve) => setImmediate(resolve)),
  });
  const matrix = transformOf(root) ?? identity;
  const contents = contentsOf(tree, matrix);
  const [min, max] = cornersOf(volume);
  const pointsPerByte = await measurePoints(contents, files, placesOf);
  const partPoints = contents.map((path) => Math.max(1, Math.round(files.sizeOf(path)! * pointsPerByte)));
  return { contents, partPoints, min, max, matrix: asMeasured(matrix, top) };
}

/** Tilesets that were put onto ground say in `extras.movedBy` by how much. */
function asMeasured(matrix: Matrix, top: unknown): Matrix {
  const moved = asNumbers(asObject(asObject(top)?.['extras'])?.['movedBy'], 3);
  return moved === undefined ? matrix : matrix.map((value, i) => value - (moved[i - 12] ?? 0));
}

/** Without recursion, as tiles may be nested deeply. */
function contentsOf(tree: TileOfTree, matrix: Matrix): string[] {
  const paths: string[] = [];
  const open = [tree];
  for (let tile = open.pop(); tile !== undefined; tile = open.pop()) {
    // coarser tiles would repeat the points of those below
    const isShown = tile.refine === 'ADD' || tile.children.length === 0;
    for (const content of isShown ? tile.contents : []) {
      if (content.matrix.some((value, i) => value !== matrix[i]))
        throw new BytesError('its tiles have transforms of their own');
      paths.push(content.path);
    }
    open.push(...tile.children);
  }
  if (paths.length === 0) throw new BytesError('it has no tiles with points');
  return paths.toSorted();
}

async function measurePoints(
  contents: readonly string[],
  files: TilesetFiles,
  placesOf: (path: string) => Promise<Float64Array>,
): Promise<number> {
  let [points, bytes] = [0, 0];
  const samples = Math.min(maxSamples, contents.length);
  for (let i = 0; i < samples; i++) {
    const path = contents[Math.floor((i * contents.length) / samples)]!;
    points += (await placesOf(path)).length / 3;
    bytes += files.sizeOf(path)!;
  }
  if (points === 0) throw new BytesError('it contains no points');
  return points / bytes;
}

/** Lowest and highest x, y, z of a box of a middle and three half axes. */
function cornersOf(box: readonly number[]): [min: Place, max: Place] {
  const edge = (sign: number): Place =>
    [0, 1, 2].map(
      (axis) => box[axis]! + sign * [3, 6, 9].reduce((sum, half) => sum + Math.abs(box[half + axis]!), 0),
    ) as unknown as Place;
  return [edge(-1), edge(1)];
}

async function asBytesError<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SourceError) throw new BytesError(error.message, { cause: error });
    throw error;
  }
}
