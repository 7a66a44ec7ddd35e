import type { BundleFile } from '@platen/contract/runner-bundle';
import { folderOf } from '../destinations/clean-path.ts';
import type { Destination } from '../destinations/destination.ts';
import { isCompressible } from './compressible.ts';
import { forEachParallel } from './for-each-parallel.ts';
import { heldBy, isCarried, type Held, type Records } from './records.ts';

/** One file as it lies at the destination; a file of the bundle may be there in two forms. */
export interface Part {
  readonly path: string;
  readonly isGzipped: boolean;
  readonly version: string;
}

/** A part that has to be sent. */
export interface FileUpload {
  readonly file: BundleFile;
  readonly part: Part;
}

export interface Plan {
  /** To be sent: new, changed, or not there as it was left. */
  readonly send: readonly FileUpload[];
  /** Files of the bundle that need not be sent in any form. */
  readonly unchanged: number;
  /** Of all parts that stay as they are. */
  readonly kept: ReadonlyMap<string, Held>;
  /** What only the run before still had: it goes when the next one has ended. */
  readonly former: ReadonlyMap<string, Held>;
  readonly remove: readonly string[];
  /** Of these the ones that go before anything is sent: a file where a folder has to be, or in a folder where a file has to be. */
  readonly inTheWay: readonly string[];
  /** How many had changed or gone at the destination, other than by us. */
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

/** What has to be done for the bundle to lie at the destination. */
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
  const wanted = new Set(all.map(({ part }) => part.path));
  // a packed form that nobody renews any more must not be served in place of its file
  const hidesWanted = (path: string) => path.endsWith('.gz') && wanted.has(path.slice(0, -'.gz'.length));
  const left = [...held.keys()].filter((path) => !wanted.has(path));
  const isInTheWay = left.length > 0 ? inTheWayOf(wanted) : () => false;
  const isFormer = (path: string) =>
    records.manifest.files.has(path) && !records.journal.has(path) && !hidesWanted(path) && !isInTheWay(path);
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

/** No place has a file and a folder of one name. */
function inTheWayOf(wanted: ReadonlySet<string>): (path: string) => boolean {
  const folders = new Set<string>();
  for (const path of wanted) for (const folder of foldersAbove(path)) folders.add(folder);
  return (path) => folders.has(path) || foldersAbove(path).some((folder) => wanted.has(folder));
}

function* foldersAbove(path: string): Generator<string> {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) yield folder;
}

interface Forms {
  /** Of all files of the bundle: a packed one beside a file may be one of them. */
  readonly own: ReadonlySet<string>;
  readonly form: Destination['gzip'] | 'plain';
}

function partsOf(file: BundleFile, { own, form }: Forms): Part[] {
  const { path, version } = file;
  const plain = { path, version, isGzipped: false };
  if (form === 'plain' || !isCompressible(file)) return [plain];
  const packed = { version: `${version}+gzip`, isGzipped: true };
  if (form === 'instead') return [{ path, ...packed }];
  const beside = `${path}.gz`;
  return own.has(beside) || !isCarried(beside) ? [plain] : [plain, { path: beside, ...packed }];
}

/** Of these files those that lie there with the size they should have. */
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
