import { readFile } from 'node:fs/promises';
import { BytesError } from '@platen/formats/bytes/bytes';
import { openFile } from '@platen/formats/bytes/open-file';
import { asArray, asObject, type JsonObject } from '@platen/formats/json/read-values';
import { parseAt } from '@platen/formats/json/scan-members';
import { SourceError } from '@platen/formats/source/source';
import { pathWithin } from '@platen/formats/tiles-3d/path-within';
import { readTileTree, type TileTree } from '@platen/formats/tiles-3d/tile-tree';
import type { TreeNotice } from '@platen/formats/tiles-3d/tree-context';
import { contentsOf, readTileset } from '@platen/formats/tiles-3d/tileset';
import { JobFailure, type JobContext } from '../../job-type.ts';
import { takeTurn } from '../../kit/take-turn.ts';
import type { PlacementOptions } from '../placement-options.ts';
import type { NoticeCode } from '../../warning-codes.ts';

/** A file among the inputs, unpacked. */
export interface UnpackedFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

/** A tileset among the inputs. Paths of its contents are names of files. */
export interface FoundTileset {
  /** Of its tileset.json. */
  readonly name: string;
  readonly tree: TileTree;
}

export interface TilesetSearch {
  /** Fails if one of several tilesets cannot be read. */
  readonly strict: boolean;
  readonly placement: PlacementOptions;
  readonly context: Pick<JobContext, 'signal' | 'warn'>;
}

const maxJsonBytes = 128 << 20;

/** Finds the tilesets among files: those that no other one contains. @throws JobFailure */
export async function findTilesets(
  files: ReadonlyMap<string, UnpackedFile>,
  { strict, placement, context }: TilesetSearch,
): Promise<FoundTileset[]> {
  const found: FoundTileset[] = [];
  const faults: JobFailure[] = [];
  for (const name of await rootsOf(files, context.signal)) {
    context.signal.throwIfAborted();
    try {
      const tree = await readTileTree(name, {
        read: async (path) => readLimited(files.get(path)),
        has: (path) => files.has(path),
        takeTurn: () => takeTurn(context.signal),
        onNotice(notice, detail) {
          const { code, text } = notices[notice];
          context.warn(code, `${name}: ${text}`, { detail });
        },
      });
      requirePlace(name, tree, placement);
      found.push({ name, tree });
    } catch (error) {
      if (error instanceof JobFailure) faults.push(error);
      else if (error instanceof SourceError)
        faults.push(new JobFailure(error.code, `${name}: ${error.message}.`, { cause: error }));
      else if (error instanceof BytesError)
        faults.push(new JobFailure('brokenFile', `${name}: ${error.message}.`, { cause: error }));
      else throw error;
    }
  }
  const [first] = faults;
  if (first !== undefined && (strict || found.length === 0)) throw first;
  for (const { message } of faults) context.warn('unreadableModels', message);
  return found;
}

const notices = {
  missingFile: {
    code: 'missingSideFiles',
    text: 'tiles that it names are not among the inputs. Upload its whole folder, or a zip file of it.',
  },
  outsideReference: {
    code: 'missingSideFiles',
    text: 'tiles on the web or outside of its folder are left out. Put them into its folder, and refer to them by a relative path.',
  },
  brokenTile: { code: 'missingSurfaces', text: 'children that are no tiles are left out.' },
} as const satisfies Readonly<Record<TreeNotice, { readonly code: NoticeCode; readonly text: string }>>;

function requirePlace(name: string, { extent }: TileTree, { longitude, latitude }: PlacementOptions): void {
  if (extent !== undefined || (longitude !== undefined && latitude !== undefined)) return;
  throw new JobFailure(
    'unknownPlace',
    `${name} does not say where on earth it is. Set longitude and latitude of its origin in the placement of the task.`,
  );
}

async function readLimited(file: UnpackedFile | undefined): Promise<Uint8Array | undefined> {
  if (file === undefined) return undefined;
  if (file.size > maxJsonBytes)
    throw new SourceError('unsupported', `${file.name} has more than ${maxJsonBytes >> 20} MiB: divide it`);
  return readFile(file.path);
}

/** Names of tilesets that no other one refers to. If all do, there is a cycle, which reading the first one names. */
async function rootsOf(files: ReadonlyMap<string, UnpackedFile>, signal: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  const inner = new Set<string>();
  for (const [name, file] of files) {
    if (!/\.json$/i.test(name) || file.size > maxJsonBytes || !(await namesAsset(file))) continue;
    signal.throwIfAborted();
    const text = await readFile(file.path);
    const root = readTileset(parseAt(text, text[0] === 0xef ? 3 : 0, text.length))?.root;
    if (root === undefined) continue;
    names.push(name);
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    for (const uri of urisOf(root)) {
      const path = pathWithin(folder, uri);
      if (path !== undefined && path !== name) inner.add(path);
    }
  }
  const roots = names.filter((name) => !inner.has(name));
  return roots.length === 0 ? names.slice(0, 1) : roots;
}

const endBytes = 1 << 16;

/** Whether `asset` is near the beginning or the end, so that other JSON is not read as a whole. */
async function namesAsset({ path, size }: UnpackedFile): Promise<boolean> {
  const bytes = await openFile(path);
  try {
    const ends = [await bytes.read(0, endBytes), await bytes.read(Math.max(0, size - endBytes), endBytes)];
    return ends.some((end) => Buffer.from(end).includes('"asset"'));
  } finally {
    await bytes.close();
  }
}

/** Without recursion, as tiles may be nested as deep as they like. */
function* urisOf(root: JsonObject): Generator<string, void> {
  const open = [root];
  for (let tile = open.pop(); tile !== undefined; tile = open.pop()) {
    for (const uri of contentsOf(tile)) if (/\.json(?:[?#].*)?$/is.test(uri)) yield uri;
    for (const child of asArray(tile['children']) ?? []) {
      const below = asObject(child);
      if (below !== undefined) open.push(below);
    }
  }
}
