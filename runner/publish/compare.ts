import type { BundleFile } from '@platen/contract/runner-bundle';
import { folderOf } from '../destinations/clean-path.ts';
import type { Destination } from '../destinations/destination.ts';
import { forEachParallel } from '../for-each-parallel.ts';
import { heldBy, isCarried, type Held, type Records } from './records.ts';

/** One file at the destination; a file of the bundle may be stored in two forms, plain and gzipped. */
export interface Part {
  readonly path: string;
  readonly isGzipped: boolean;
  readonly version: string;
}

/** A part to upload. */
export interface FileUpload {
  readonly file: BundleFile;
  readonly part: Part;
}

export interface Plan {
  /** New and changed parts, and those that differ at the destination. */
  readonly send: readonly FileUpload[];
  /** Number of files of the bundle that need no upload. */
  readonly unchanged: number;
  /** Parts that stay as they are. */
  readonly kept: ReadonlyMap<string, Held>;
  /** Files that only the previous run still had; removed when the next run has ended. */
  readonly former: ReadonlyMap<string, Held>;
  readonly remove: readonly string[];
  /** Files to remove before the upload: a file where a folder has to be, or in a folder where a file has to be. */
  readonly inTheWay: readonly string[];
  /** Number of files that others have changed or removed at the destination. */
  readonly tamperedWith: number;
}

interface CompareOptions {
  readonly files: readonly BundleFile[];
  readonly records: Records;
  readonly destination: Destination;
  readonly gzip: boolean;
  readonly atOnce: number;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** Compares the bundle with the destination and plans the uploads and removals. */
export async function compare(comparing: CompareOptions): Promise<Plan> {
  const { files, records, destination, gzip } = comparing;
  const held = heldBy(records);
  const own = new Set(files.map(({ path }) => path));
  const form = gzip ? destination.gzip : 'plain';
  const all = files.flatMap((file) => partsOf(file, { own, form }).map((part) => ({ file, part })));
  const claimed = new Map<string, Held>();
  for (const { path, version } of all.map(({ part }) => part)) {
    const known = held.get(path);
    if (known?.version === version) claimed.set(path, known);
  }
  const kept = await whatIsThere(claimed, comparing);
  const send = all.filter(({ part }) => !kept.has(part.path));
  const paths = new Set(all.map(({ part }) => part.path));
  // an outdated gzipped form must not be served in place of its file
  const hidesCurrent = (path: string) => path.endsWith('.gz') && paths.has(path.slice(0, -'.gz'.length));
  const left = [...held.keys()].filter((path) => !paths.has(path));
  const isInTheWay = left.length > 0 ? inTheWayOf(paths) : () => false;
  const isFormer = (path: string) =>
    records.manifest.files.has(path) &&
    !records.journal.has(path) &&
    !hidesCurrent(path) &&
    !isInTheWay(path);
  return {
    send,
    unchanged: files.length - new Set(send.map(({ file }) => file)).size,
    kept,
    former: new Map(left.filter(isFormer).map((path) => [path, records.manifest.files.get(path)!])),
    remove: left.filter((path) => !isFormer(path)),
    inTheWay: left.filter(isInTheWay),
    tamperedWith: [...claimed.keys()].filter((path) => !kept.has(path)).length,
  };
}

/** Finds paths where a file and a folder would have the same name. */
function inTheWayOf(paths: ReadonlySet<string>): (path: string) => boolean {
  const folders = new Set<string>();
  for (const path of paths) for (const folder of foldersAbove(path)) folders.add(folder);
  return (path) => folders.has(path) || foldersAbove(path).some((folder) => paths.has(folder));
}

function* foldersAbove(path: string): Generator<string> {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) yield folder;
}

interface Forms {
  /** All files of the bundle, which may itself contain a `.gz` file. */
  readonly own: ReadonlySet<string>;
  readonly form: Destination['gzip'] | 'plain';
}

function partsOf(file: BundleFile, { own, form }: Forms): Part[] {
  const { path, version } = file;
  const plain = { path, version, isGzipped: false };
  if (form === 'plain' || !isCompressible(file)) return [plain];
  const packed = { version: `${version}+gzip`, isGzipped: true };
  if (form === 'instead') return [{ path, ...packed }];
  const compressedPath = `${path}.gz`;
  return own.has(compressedPath) || !isCarried(compressedPath)
    ? [plain]
    : [plain, { path: compressedPath, ...packed }];
}

/** The files that exist at the destination with the expected size. */
async function whatIsThere(
  claimed: ReadonlyMap<string, Held>,
  { files, destination, atOnce, signal, progress }: CompareOptions,
): Promise<Map<string, Held>> {
  const byFolder = Map.groupBy(claimed.keys(), folderOf);
  const kept = new Map<string, Held>();
  const total = files.length;
  let done = 0;
  progress(0, total);
  await forEachParallel(byFolder, { atOnce, signal }, async ([folder, paths]) => {
    const nameOf = (path: string) => path.slice(folder === '' ? 0 : folder.length + 1);
    const sizes = await destination.sizes(folder, new Set(paths.map(nameOf)));
    for (const path of paths) {
      const known = claimed.get(path)!;
      if (sizes.get(nameOf(path)) === known.size) kept.set(path, known);
    }
    done += paths.length;
    progress(Math.min(done, total), total);
  });
  progress(total, total);
  return kept;
}

/** Smaller files gain nothing. */
const minCompressedBytes = 1024;
const compressedTypes =
  /^(text\/|image\/svg\+xml|font\/(ttf|otf)|application\/(json|javascript|wasm|xml|manifest\+json|vnd\.mapbox-vector-tile|vnd\.quantized-mesh)\b|[\w.-]+\/[\w.-]+\+(json|xml)\b|model\/gltf-binary)/i;

/**
 * Whether a file gains from compression and is always read as a whole. Archives are read by ranges and stay
 * uncompressed.
 */
function isCompressible({
  contentType,
  size,
}: {
  readonly contentType: string;
  readonly size?: number;
}): boolean {
  return compressedTypes.test(contentType) && (size === undefined || size >= minCompressedBytes);
}
