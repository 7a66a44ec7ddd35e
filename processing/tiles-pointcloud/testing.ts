import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openFile } from '@platen/formats/bytes/open-file';
import { openZip } from '@platen/formats/zip/open-zip';
import type { JobContext, JobInput, JobResult } from '../job-type.ts';
import { testContext } from '../testing-context.ts';
import { readGlbPoints } from './testing-glb.ts';
import { runTilesPointcloud } from './run.ts';
import type { TilesPointcloudOptions } from './spec.ts';

export interface PointRun {
  readonly result: JobResult;
  readonly outputFolder: string;
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly times: number }[];
}

/** Folders of one test file. */
export async function openPointTests() {
  const folder = await mkdtemp(join(tmpdir(), 'platen-points-'));
  let count = 0;
  return {
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
    async put(name: string, content: Uint8Array, crs?: string): Promise<JobInput> {
      const path = join(folder, `${count++}-${name}`);
      await writeFile(path, content);
      return { path, name: basename(name), size: (await stat(path)).size, ...(crs !== undefined && { crs }) };
    },
    async run(
      inputs: readonly JobInput[],
      options: TilesPointcloudOptions = {},
      more: Partial<JobContext> = {},
    ): Promise<PointRun> {
      const outputFolder = await mkdtemp(join(folder, `run-${count++}-`));
      const warnings: { code: string; message: string; times: number }[] = [];
      const context = testContext({
        inputs,
        outputFolder,
        scratchFolder: join(outputFolder, 'scratch'),
        warn: (code, message, _example, times = 1) => warnings.push({ code, message, times }),
        ...more,
      });
      return { result: await runTilesPointcloud(options, context), outputFolder, warnings };
    },
  };
}

/** A tile of points as a client reads it. */
export interface ReadTile {
  readonly level: number;
  readonly uri: string;
  readonly geometricError: number;
  readonly box: readonly number[];
  readonly parent: ReadTile | undefined;
  /** x, y, z of each point in metres of the root's frame. */
  readonly places: Float64Array;
  readonly colours: Uint8Array | undefined;
  readonly properties: Readonly<Record<string, ArrayLike<number>>>;
}

export interface ReadTileset {
  readonly transform: readonly number[];
  readonly tiles: readonly ReadTile[];
}

interface TileJson {
  readonly boundingVolume: { readonly box: readonly number[] };
  readonly geometricError: number;
  readonly transform?: readonly number[];
  readonly content?: { readonly uri: string };
  readonly children?: readonly TileJson[];
}

/** Reads all tiles of a 3TZ or a folder, through all external tilesets. */
export async function readTileset({ outputFolder, result }: PointRun): Promise<ReadTileset> {
  const path = join(outputFolder, result.datasource!.path);
  const isFolder = (await stat(path)).isDirectory();
  const file = isFolder ? undefined : await openFile(path);
  const zip = file && (await openZip(file));
  const content = async (name: string): Promise<Buffer> => {
    if (zip === undefined) return readFile(join(path, name));
    const member = await zip.find(name);
    if (member === undefined) throw new Error(`there is no ${name}`);
    const bytes = await zip.open(member);
    return Buffer.from(await bytes.read(0, bytes.size));
  };
  const tiles: ReadTile[] = [];
  const json = async (name: string) => JSON.parse((await content(name)).toString()) as { root: TileJson };
  const walk = async (tile: TileJson, parent: ReadTile | undefined): Promise<void> => {
    const { content: own, children = [], geometricError, boundingVolume } = tile;
    if (own?.uri.endsWith('.json') === true) return walk((await json(own.uri)).root, parent);
    let current = parent;
    if (own !== undefined) {
      const bytes = await content(own.uri);
      const points = own.uri.endsWith('.glb') ? await readGlbPoints(bytes) : readPnts(bytes);
      const level = Number(/^t\/(\d+)-/.exec(own.uri)![1]);
      current = { level, uri: own.uri, geometricError, box: boundingVolume.box, parent, ...points };
      tiles.push(current);
    }
    for (const child of children) await walk(child, current);
  };
  try {
    const { root } = await json('tileset.json');
    await walk(root, undefined);
    return { transform: root.transform!, tiles };
  } finally {
    await file?.close();
  }
}

interface Accessor {
  readonly byteOffset: number;
  readonly componentType: 'UNSIGNED_BYTE' | 'UNSIGNED_SHORT' | 'FLOAT';
}

const arrays = { UNSIGNED_BYTE: Uint8Array, UNSIGNED_SHORT: Uint16Array, FLOAT: Float32Array } as const;

function readPnts(bytes: Buffer): Pick<ReadTile, 'places' | 'colours' | 'properties'> {
  const aligned = Buffer.from(bytes);
  const [, whole, jsonBytes, binaryBytes, batchJsonBytes] = [0, 1, 2, 3, 4].map((i) =>
    aligned.readUInt32LE(4 + i * 4),
  ) as [number, number, number, number, number];
  if (aligned.toString('latin1', 0, 4) !== 'pnts' || whole !== aligned.length || whole % 8 !== 0)
    throw new Error('its header is wrong');
  const features = JSON.parse(aligned.toString('utf8', 28, 28 + jsonBytes)) as {
    POINTS_LENGTH: number;
    RTC_CENTER?: number[];
    QUANTIZED_VOLUME_OFFSET?: number[];
    QUANTIZED_VOLUME_SCALE?: number[];
    RGB?: { byteOffset: number };
  };
  const start = 28 + jsonBytes;
  const count = features.POINTS_LENGTH;
  const places = new Float64Array(count * 3);
  const slice = (at: number, length: number) => new Uint8Array(aligned.subarray(at, at + length)).buffer;
  if (features.QUANTIZED_VOLUME_OFFSET) {
    const values = new Uint16Array(slice(start, count * 6));
    for (let i = 0; i < values.length; i++)
      places[i] =
        features.QUANTIZED_VOLUME_OFFSET[i % 3]! +
        (values[i]! / 65_535) * features.QUANTIZED_VOLUME_SCALE![i % 3]!;
  } else {
    const values = new Float32Array(slice(start, count * 12));
    for (let i = 0; i < values.length; i++) places[i] = features.RTC_CENTER![i % 3]! + values[i]!;
  }
  const colours = features.RGB && new Uint8Array(slice(start + features.RGB.byteOffset, count * 3));
  const batchStart = start + binaryBytes;
  const binary = batchStart + batchJsonBytes;
  const table =
    batchJsonBytes === 0
      ? {}
      : (JSON.parse(aligned.toString('utf8', batchStart, binary)) as Record<string, Accessor>);
  const properties = Object.fromEntries(
    Object.entries(table).map(([name, { byteOffset, componentType }]) => {
      const type = arrays[componentType];
      const values = new type(slice(binary + byteOffset, count * type.BYTES_PER_ELEMENT));
      return [name, values as ArrayLike<number>];
    }),
  );
  return { places, colours, properties };
}
